import type { Api, Run, RunDetail, Saving, WorkbenchEntry } from '@/api'

/** The turn that made a file, and what it says of it. */
export interface Maker {
  run: Run
  /** What was kept out of the context by it; undefined: a step of the turn wrote the file. */
  saving: Saving | undefined
}

/** What is kept of a turn that was looked at. */
interface Made {
  run: Run
  savings: readonly Saving[]
  /** The paths that its steps wrote to. */
  wrote: readonly string[]
}

const pageRuns = 200
const mostPages = 10
/** A file's time and a turn's are taken at different moments, in milliseconds. */
const apart = 2000

/** Turns that are looked at for one file at most: those that were going when it was written. */
const mostLooked = 6

/** Makers finds out which turn made a file: of the turns that were going when it was written, the one that says so. */
export class Makers {
  private runs: Run[] = []
  private more = true
  private pages = 0
  private loading: Promise<void> | undefined
  /** When the list of turns was fetched, in milliseconds. */
  private upTo = 0
  private readonly made = new Map<string, Promise<Made>>()

  constructor(
    private readonly api: Api,
    private readonly channelId: string,
  ) {}

  /** find gives the turn that made an entry of a workbench; null when no turn says that it did. */
  async find(bench: string, entry: WorkbenchEntry): Promise<Maker | null> {
    const at = Date.parse(entry.modified ?? '')
    if (Number.isNaN(at)) return null
    await this.cover(at)
    const going = this.runs.filter((run) => run.started_at && Date.parse(run.started_at) <= at + apart && (run.ended_at ? Date.parse(run.ended_at) : Infinity) >= at - apart)
    const path = `${bench}/${entry.path}`
    for (const run of going.slice(0, mostLooked)) {
      const made = await this.look(run)
      const saving = made.savings.find((s) => s.path !== '' && (s.path === path || s.path.endsWith(`/.flower/${entry.path}`)))
      if (saving || made.wrote.includes(path)) return { run: made.run, saving }
    }
    return null
  }

  /** cover fetches the list of turns until it reaches from now back to a moment. One after another, for all who ask. */
  private async cover(at: number): Promise<void> {
    while (this.loading) await this.loading
    if (this.covered(at)) return
    this.loading = this.load(at).finally(() => (this.loading = undefined))
    await this.loading
  }

  private covered(at: number): boolean {
    const oldest = this.runs.at(-1)
    return this.upToDate(at) && (!this.more || this.pages >= mostPages || (oldest !== undefined && Date.parse(oldest.queued_at) <= at))
  }

  /** A file of the future is as well covered as it will be. */
  private upToDate(at: number): boolean {
    return at + apart <= this.upTo || Date.now() - this.upTo < apart
  }

  private async load(at: number): Promise<void> {
    if (!this.upToDate(at)) {
      const now = Date.now()
      const { runs, more } = await this.api.runs(this.channelId, { limit: pageRuns })
      // What is known already follows on, where the two meet.
      const last = runs.at(-1)?.id
      const met = this.runs.findIndex((run) => run.id === last)
      if (met >= 0) this.runs = [...runs, ...this.runs.slice(met + 1)]
      else [this.runs, this.more, this.pages] = [runs, more, 1]
      this.upTo = now
    }
    while (!this.covered(at) && this.more && this.pages < mostPages) {
      const { runs, more } = await this.api.runs(this.channelId, { limit: pageRuns, before: this.runs.at(-1)?.id })
      this.runs = [...this.runs, ...runs]
      this.more = more
      this.pages++
    }
  }

  private look(run: Run): Promise<Made> {
    // What a turn made is known when it has ended; until then it is looked up anew each time.
    const held = this.made.get(run.id)
    if (held) return held
    const made = this.api.run(run.id).then(madeBy)
    this.made.set(run.id, made)
    void made.then(({ run: now }) => now.ended_at === undefined && this.made.delete(run.id), () => this.made.delete(run.id))
    return made
  }
}

function madeBy({ run, savings, steps }: RunDetail): Made {
  const wrote = steps.flatMap((step) => {
    if (step.error || !/^(Write|Edit|MultiEdit|NotebookEdit)$/.test(step.name)) return []
    try {
      const input = JSON.parse(step.input) as { file_path?: unknown } | null
      return typeof input?.file_path === 'string' ? [input.file_path] : []
    } catch {
      return [] // it was cut
    }
  })
  return { run, savings: savings.filter((saving) => saving.path !== ''), wrote }
}
