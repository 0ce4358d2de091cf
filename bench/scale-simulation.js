// Many more workers than there are here: the real coordinator of hyperplane/distributed against simulated ones, on a virtual
// clock. What the queue costs was measured (bench/scale.js); stragglers and deaths come from a seed.
//
//   node bench/scale-simulation.js        after npm run build; prints the tables of docs/scale.md
import { coordinate } from 'hyperplane/distributed'

/** What the queue costs, in milliseconds: see docs/scale.md for where each comes from. */
export const queueCosts = {
  /** Redis, which does one thing at a time, per job: post, take, renew, complete, result. */
  redisPerJob: 0.7,
  /** The coordinator, which does one thing at a time, per job: post, look, unpack, score. */
  coordinatorPerJob: 1,
  /** A worker per job, beside the work itself. */
  workerPerJob: 4,
  /** Bytes per millisecond that Redis hands out: 1 GB/s, a 10 Gbit/s network. */
  bytesPerMs: 1e6,
}

/** A generator of numbers in [0, 1) from a seed (mulberry32). */
function randomFrom(seed) {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296
  }
}

/** A queue of events by time: a binary heap. */
class Events {
  heap = []
  add(time, run) {
    const { heap } = this
    heap.push({ time, run })
    for (let k = heap.length - 1; k > 0; ) {
      const parent = (k - 1) >> 1
      if (heap[parent].time <= heap[k].time) break
      ;[heap[parent], heap[k]] = [heap[k], heap[parent]]
      k = parent
    }
  }
  get next() {
    return this.heap[0]?.time ?? Number.POSITIVE_INFINITY
  }
  take() {
    const { heap } = this
    const first = heap[0]
    const last = heap.pop()
    if (heap.length > 0) {
      heap[0] = last
      for (let k = 0; ; ) {
        let least = k
        for (const child of [2 * k + 1, 2 * k + 2])
          if (child < heap.length && heap[child].time < heap[least].time) least = child
        if (least === k) break
        ;[heap[least], heap[k]] = [heap[k], heap[least]]
        k = least
      }
    }
    return first
  }
}

/** A board with simulated workers. Time is in milliseconds and passes only when somebody waits or works. */
export class SimulatedBoard {
  constructor({
    workers,
    work,
    costs = queueCosts,
    passBytes = 0,
    stragglers = 0,
    deaths = 0,
    lock = 30_000,
    seed = 1,
  }) {
    Object.assign(this, { work, costs, passBytes, stragglers, deaths, lock })
    this.random = randomFrom(seed)
    this.events = new Events()
    this.time = 0
    this.redisFree = 0
    this.waiting = []
    this.states = new Map()
    this.idle = Array.from({ length: workers }, (_, id) => ({ id, holds: undefined }))
    this.count = workers
    this.busy = 0
    this.kills = 0
    this.twice = 0
    this.hear = () => {}
  }

  /** Redis does one thing at a time: returns when it is done with this. */
  redis(ms) {
    this.redisFree = Math.max(this.redisFree, this.time) + ms
    return this.redisFree
  }

  /** What happens up to a time. */
  advance(until) {
    while (this.events.next <= until) {
      const { time, run } = this.events.take()
      this.time = Math.max(this.time, time)
      run()
    }
    this.time = Math.max(this.time, until)
  }

  assign() {
    while (this.idle.length > 0 && this.waiting.length > 0) this.start(this.idle.pop(), this.waiting.shift())
  }

  start(worker, job) {
    const { costs } = this
    const round = job.data.round ?? 0
    const fetch = worker.holds === round ? 0 : this.passBytes / costs.bytesPerMs
    worker.holds = round
    const begun = Math.max(this.time, this.redis(costs.redisPerJob / 2 + fetch))
    const slow = this.random() < this.stragglers ? 5 : 1
    const took = costs.workerPerJob + slow * this.work(job.data, this.random)
    // A worker dies on average after this many milliseconds of work.
    const dies = this.deaths > 0 && this.random() < 1 - Math.exp(-took / this.deaths)
    if (dies) {
      this.kills++
      const after = begun + took * this.random()
      this.events.add(after + this.lock, () => {
        this.waiting.unshift(job)
        this.assign()
      })
      this.events.add(after + this.lock, () => {
        this.idle.push({ id: worker.id, holds: undefined })
        this.assign()
      })
      return
    }
    this.events.add(begun + took, () => {
      const settled = this.redis(costs.redisPerJob / 2)
      this.busy += took
      this.events.add(settled, () => {
        if (this.states.get(job.id) !== 'open') this.twice++
        this.states.set(job.id, 'done')
        this.hear(job.id)
        this.idle.push(worker)
        this.assign()
      })
    })
  }

  // The board of a coordinator: what it calls costs it time.
  async post(jobs) {
    this.advance(this.time + (jobs.length * this.costs.coordinatorPerJob) / 2)
    for (const job of jobs) {
      this.states.set(job.id, 'open')
      this.waiting.push(job)
    }
    this.assign()
  }
  async look(ids) {
    const found = ids.map((id) => this.states.get(id))
    this.advance(
      this.time + (found.filter((state) => state === 'done').length * this.costs.coordinatorPerJob) / 2,
    )
    return found.map((state) => {
      if (state === 'done') return { kind: 'done', result: new Uint8Array() }
      return { kind: state === 'open' ? 'open' : 'missing' }
    })
  }
  async drop(ids) {
    for (const id of ids) this.states.delete(id)
  }
  async withdraw() {}
  listen(settled) {
    this.hear = (id) => {
      this.heard = true
      settled(id)
    }
    return () => {
      this.hear = () => {}
    }
  }
  async workers() {
    const note = {
      library: '',
      engine: '',
      since: '',
      done: 0,
      failed: 0,
      seconds: 0,
      running: [],
      refuses: {},
    }
    return [{ ...note, id: 'all', threads: this.count }]
  }
  now() {
    return this.time
  }
  async wait(ms) {
    const until = this.time + ms
    this.heard = false
    while (!this.heard && this.events.next <= until) {
      const { time, run } = this.events.take()
      this.time = Math.max(this.time, time)
      run()
    }
    if (!this.heard) this.time = Math.max(this.time, until)
  }
}

/** Runs rounds of jobs through the real coordinator; every round waits for the one before. */
export async function simulate({ jobs, rounds = 1, between = 0, lookEvery = 2000, ...options }) {
  const board = new SimulatedBoard(options)
  let reported = 0
  for (let round = 0; round < rounds; round++) {
    const list = Array.from({ length: jobs }, (_, k) => ({ id: `${round}-${k}`, data: { round, k } }))
    await coordinate(
      board,
      list,
      {
        subject: 'simulation',
        onDone: () => {
          reported++
        },
        onFailed: (id) => {
          throw new Error(`${id} failed`)
        },
      },
      { lookEvery },
    )
    board.advance(board.time + between)
  }
  if (reported !== jobs * rounds) throw new Error(`${reported} results of ${jobs * rounds} jobs`)
  const seconds = board.time / 1000
  return {
    seconds,
    efficiency: board.busy / (board.time * options.workers),
    kills: board.kills,
    redisShare: redisShare(board),
  }
}

function redisShare(board) {
  return Math.min(1, board.redisFree / board.time)
}

const percent = (share) => `${(100 * share).toFixed(0)} %`

async function main() {
  const crowd = [1, 10, 100, 300, 1000]
  // A search: 110 gammas and folds of a large set, each job some seconds to minutes (log-uniform over a factor of 10).
  const spread = (seconds) => (_, random) => 1000 * seconds * 10 ** (random() - 0.5)
  console.log('search: 5,000 jobs of 20 s; 1 % of them five times as long; a worker dies every 6 h of work')
  for (const workers of crowd) {
    const quiet = await simulate({ workers, jobs: 5000, work: spread(20) })
    const rough = await simulate({
      workers,
      jobs: 5000,
      work: spread(20),
      stragglers: 0.01,
      deaths: 6 * 3600e3,
    })
    console.log(
      workers,
      `${quiet.seconds.toFixed(0)} s`,
      percent(quiet.efficiency),
      `${rough.seconds.toFixed(0)} s`,
      percent(rough.efficiency),
      rough.kills,
    )
  }
  console.log('search: 20,000 jobs of 0.2 s')
  for (const workers of crowd) {
    const quiet = await simulate({ workers, jobs: 20_000, work: spread(0.2) })
    console.log(workers, `${quiet.seconds.toFixed(0)} s`, percent(quiet.efficiency))
  }
  // A linear machine: 1e9 rows of 40 values in 10,000 blocks of 1e5 rows, 20 rounds; a pass over a block takes 0.4 s, and the
  // weights of 1e6 features are 8 MB, which every worker fetches once a round.
  console.log('linear training: 1e9 rows, 10,000 blocks, 20 rounds, weights of 8 MB')
  for (const workers of crowd) {
    const { seconds, efficiency } = await simulate({
      workers,
      jobs: 10_000,
      rounds: 20,
      work: () => 400,
      passBytes: 8e6,
      between: 100,
    })
    console.log(workers, `${seconds.toFixed(0)} s`, percent(efficiency))
  }
  // A kernel machine: 1e8 rows in 1,000 blocks, 15 rounds, 20,000 support vectors of 784 values (125 MB). A block takes 3e12 operations:
  // 150 s at 20 GFLOP/s.
  console.log(
    'kernel training: 1e8 rows, 1,000 blocks, 15 rounds, support vectors of 125 MB, 60 s of master a round',
  )
  for (const workers of crowd) {
    const { seconds, efficiency } = await simulate({
      workers,
      jobs: 1000,
      rounds: 15,
      work: () => 150_000,
      lookEvery: 60_000,
      passBytes: 125e6,
      between: 60_000,
    })
    console.log(workers, `${seconds.toFixed(0)} s`, percent(efficiency))
  }
}

if (import.meta.url === `file://${process.argv[1]}`) await main()
