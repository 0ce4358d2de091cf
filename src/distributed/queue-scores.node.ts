/**
 * Scores of a search, kept in the queue as they come: the same search continues from there on any machine. A hash named by
 * the job
 * (data, estimator, folds, score), with a line for each cell on each fold; removed when the search is complete.
 */
import { canonicalJson } from '../base/canonical-json.ts'
import type { ResultStore, UnitScore } from '../selection/score/evaluate-cells.ts'
import type { Params } from '../selection/search/estimator-params.ts'
import { unitKey } from '../selection/search/journal.node.ts'
import { jobKey, type TuningJob } from '../selection/search/tuning-job.ts'
import { cacheBytesByDefault } from '../solve/driver/run.ts'
import { KEEP_SECONDS, keyOf, type RedisBoard } from './redis-board.node.ts'

/** The field of the memory; those of units begin with a number. */
const MEMORY = 'cacheBytes'

/** The week that scores are kept begins again while they come, but not for each of them. */
const RENEW_MS = 3600e3

/** Scores of a search, kept in the queue as they come. */
export class QueueScores implements ResultStore {
  /** Scores that were there when it was opened. */
  readonly known: number
  /** Memory for kernel values when the search began: what is free now may be less, and lead another way. */
  readonly cacheBytes: number
  private readonly board: RedisBoard
  private readonly key: string
  private readonly scores: Map<string, UnitScore>
  private readonly inner: ResultStore | undefined
  private failure: unknown
  private renewedMs = performance.now()

  private constructor(
    board: RedisBoard,
    key: string,
    scores: Map<string, UnitScore>,
    cacheBytes: number,
    inner: ResultStore | undefined,
  ) {
    this.board = board
    this.key = key
    this.scores = scores
    this.inner = inner
    this.known = scores.size
    this.cacheBytes = cacheBytes
  }

  /** Opens the scores of a job; `inner`, a journal say, is asked first and told as well. */
  static async open(
    board: RedisBoard,
    job: TuningJob,
    scoring: string,
    inner?: ResultStore,
  ): Promise<QueueScores> {
    const key = keyOf('scores', await jobKey(job, scoring))
    await board.redis.hsetnx(key, MEMORY, cacheBytesByDefault())
    await board.redis.expire(key, KEEP_SECONDS)
    const { [MEMORY]: cacheBytes, ...found } = await board.redis.hgetall(key)
    const scores = new Map(
      Object.entries(found).map(([unit, text]) => {
        const { score, seconds } = JSON.parse(text)
        return [unit, { score: Number(score), seconds }]
      }),
    )
    return new QueueScores(board, key, scores, Number(cacheBytes), inner)
  }

  get(params: Params, fold: number): UnitScore | undefined {
    return this.inner?.get(params, fold) ?? this.scores.get(unitKey(params, fold))
  }

  add(params: Params, fold: number, score: UnitScore): void {
    if (this.failure) throw this.failure
    const unit = unitKey(params, fold)
    this.inner?.add(params, fold, score)
    this.scores.set(unit, score)
    const failed = (error: unknown): void => {
      this.failure = error
    }
    const { redis } = this.board
    // Sent before the result is dropped, over the same connection: at no moment is neither of them there.
    redis.hset(this.key, unit, canonicalJson({ ...score })).catch(failed)
    if (performance.now() - this.renewedMs < RENEW_MS) return
    this.renewedMs = performance.now()
    redis.expire(this.key, KEEP_SECONDS).catch(failed)
  }

  /** The search is complete: nobody will ask again. */
  async remove(): Promise<void> {
    await this.board.redis.unlink(this.key)
  }
}
