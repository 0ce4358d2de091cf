/**
 * Which pass has left the β of each function and round beside the blocks. A pass writes under its own names, so that one that
 * is run twice, or late by a worker that was taken for dead, never touches what others have written.
 */
import type { PassRequest } from './shard-machine.ts'

/** See the header of the file. */
export class BlockBetas {
  /** The pass that wrote β, by function and round. */
  private written: Record<number, Record<number, number>> = {}
  /** All names that there are. */
  private names: string[] = []

  /** All that it knows. */
  save() {
    const { written, names } = this
    return { written, names }
  }

  restore({ written, names }: ReturnType<BlockBetas['save']>): void {
    this.written = written
    this.names = [...names]
  }

  /** What a request reads and writes in a pass of this number. */
  namesFor(which: number, { reads, writes }: PassRequest, pass: number) {
    const by = reads === undefined ? undefined : this.written[which]?.[reads]
    return {
      ...(by !== undefined && { reads: nameOf(which, by) }),
      ...(writes !== undefined && { writes: nameOf(which, pass) }),
    }
  }

  /** A pass is done. Rounds before the one that was read are not requested again. */
  wrote(which: number, { reads = 0, writes }: PassRequest, pass: number): void {
    const known = this.written[which] ?? {}
    const kept = Object.entries(known).filter(([round]) => Number(round) >= reads)
    this.written[which] = Object.fromEntries(kept)
    if (writes === undefined) return
    this.written[which][writes] = pass
    this.names.push(nameOf(which, pass))
  }

  /** All functions so far are done. */
  drop(): void {
    this.written = {}
  }

  /** The names that nobody requires any more; they count as gone from now on. */
  unused(): string[] {
    const used = new Set(
      Object.entries(this.written).flatMap(([which, rounds]) =>
        Object.values(rounds).map((pass) => nameOf(Number(which), pass)),
      ),
    )
    const unused = this.names.filter((name) => !used.has(name))
    this.names = this.names.filter((name) => used.has(name))
    return unused
  }
}

function nameOf(which: number, pass: number): string {
  return `beta-${which}-${pass}`
}
