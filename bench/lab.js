// How quickly the Lab answers, in a real Chromium.
//
//   npm run build && node bench/lab.js [--rounds N] [--only slide,play] [CHECKOUT...]
//
// The built Lab is served by `hyperplane lab` and opened in a window of 1280 x 900 pixels, without a screen and without
// a graphics processor: everything is drawn by the processor. With other built checkouts as arguments they are measured
// alternately with this one, so that a busy machine is as busy for each. What is measured, always by the clock of the page:
//
// slide   500 points (moons), RBF. The slider of C is set to another place, 40 times, at times that are random against
//         the clock of the screen. From the input event to the frame after the one with which the painted field was
//         handed to the screen: when that frame begins, the picture is on the screen.
// drag    the same points. The slider moves with every frame, for two seconds. For each picture that is painted, from
//         the input event it belongs to to the frame after it was painted.
// block   5,000 points (moons, noise 0.3), from choosing them, with 12 moves of the slider, until everything rests, and a
//         page that opens with them. The longest task of the main thread by the clock (`longtask` entries are those over
//         50 ms), and by the processor time it used, which other programs on the machine do not lengthen.
// play    a run of SMO on 200 points plays at 60 steps per second. Frames of the page a second, over three seconds, and
//         the share of them that came more than half a frame late; and pictures painted a second.
// turn    the surface of 200 points in space is turned with every frame, for three seconds: frames per second, and their
//         longest task by processor time.
import { spawn } from 'node:child_process'
import { join, resolve } from 'node:path'
import { chromium } from 'playwright-core'
import { describeMachine, load } from './machine.js'
import { median } from './statistics.js'

const executablePath = process.env.CHROMIUM ?? '/usr/bin/chromium'
const MOVES = 40

const measures = { slide, drag, block, play, turn }

/** One move after the other, each when the last is on the screen. */
async function slide(browser, url) {
  const page = await openLab(browser, url)
  await choosePoints(page, 500)
  return page.evaluate(async (moves) => {
    const slider = sliderOf('penalty C')
    const times = []
    const parts = []
    for (let k = -8; k < moves; k++) {
      // Not in step with the screen; 8 moves to warm up.
      await pause(60 + ((k * k * 37) % 101))
      const begun = move(slider, -1 + (3 * ((k * 7 + 56) % moves)) / moves)
      const { settings } = lab.state()
      while (seen()?.settings !== settings) await frame()
      await frame()
      if (k < 0) continue
      times.push(performance.now() - begun)
      const { trainMs, fieldMs } = lab.shown().picture
      parts.push({ trainMs, fieldMs })
    }
    return { times, parts }
  }, MOVES)
}

/** A slider that moves all the time. */
async function drag(browser, url) {
  const page = await openLab(browser, url)
  await choosePoints(page, 500)
  return page.evaluate(async () => {
    const slider = sliderOf('penalty C')
    const begun = new Map()
    const times = []
    let painted
    let last = seen()
    const end = performance.now() + 2000
    for (let k = 0; performance.now() < end; k++) {
      await frame()
      const now = performance.now()
      if (painted) times.push(now - begun.get(painted))
      painted = undefined
      if (seen() !== last) {
        last = seen()
        if (last && begun.has(last.settings)) painted = last.settings
      }
      const started = move(slider, -1 + 0.05 * (k % 60))
      begun.set(lab.state().settings, started)
    }
    return { times }
  })
}

/** Tasks of the main thread with 5,000 points. */
async function block(browser, url) {
  const page = await openLab(browser, url)
  const tasks = await traceTasks(page, async () => {
    await page.evaluate(() => move(sliderOf('noise'), 0.3))
    await choosePoints(page, 5000)
    for (let k = 0; k < 12; k++) {
      await page.evaluate((value) => move(sliderOf('penalty C'), value), k / 10)
      await page.waitForTimeout(150)
    }
    await trained(page)
    await page.waitForTimeout(1500)
    await page.mouse.move(600, 400, { steps: 10 })
  })
  // The same state from its address, in its own page.
  await page.waitForTimeout(500)
  const address = page.url()
  await page.goto('about:blank')
  const opening = await traceTasks(page, async () => {
    await page.goto(address)
    await until(page, () => globalThis.lab?.shown()?.points.length === 5000)
    await page.waitForTimeout(1500)
  })
  return { tasks, opening }
}

/** Frames while a run plays. */
async function play(browser, url) {
  const page = await openLab(browser, url)
  await page.getByRole('slider', { name: 'noise' }).fill('0.35')
  await choosePoints(page, 200)
  await page.getByRole('navigation').getByRole('button', { name: 'Watch' }).click()
  await page.waitForFunction(() => lab.take()?.points === lab.points())
  await page.getByRole('slider', { name: 'speed' }).fill('1.8')
  await page.getByRole('button', { name: 'Play', exact: true }).click()
  return page.evaluate(async () => {
    const times = []
    const first = lab.frame()
    const paintings = lab.painted?.().count
    await frame()
    const begun = performance.now()
    let last = begun
    while (last < begun + 3000) {
      const now = await frame()
      times.push(now - last)
      last = now
    }
    return { times, steps: lab.frame() - first, pictures: lab.painted && lab.painted().count - paintings }
  })
}

/** Frames while the surface in space is turned. */
async function turn(browser, url) {
  const page = await openLab(browser, url)
  await choosePoints(page, 200)
  await page.getByRole('button', { name: 'See it in 3D' }).click()
  await page.locator('.space canvas').waitFor()
  await page.waitForTimeout(1500)
  let times = []
  const tasks = await traceTasks(page, async () => {
    times = await page.evaluate(async () => {
      const space = document.querySelector('.space')
      space.scrollIntoView()
      const found = []
      let last = await frame()
      const begun = last
      while (last < begun + 3000) {
        space.dispatchEvent(new KeyboardEvent('keydown', { key: 'ArrowRight', bubbles: true }))
        const now = await frame()
        found.push(now - last)
        last = now
      }
      return found
    })
  })
  return { times, tasks }
}

async function openLab(browser, url) {
  const context = await browser.newContext({
    viewport: { width: 1280, height: 900 },
    serviceWorkers: 'block',
  })
  const page = await context.newPage()
  page.setDefaultTimeout(120_000)
  await page.addInitScript(() => {
    Object.assign(globalThis, {
      pause: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
      frame: () => new Promise((resolve) => requestAnimationFrame(() => resolve(performance.now()))),
      sliderOf: (name) =>
        [...document.querySelectorAll('input[type=range]')].find(
          ({ id }) => document.querySelector(`label[for="${id}"]`).textContent === name,
        ),
      // What was made of which settings, once it is on the canvas.
      seen: () => {
        const shown = lab.shown()
        return !lab.painted || lab.painted().shot?.field === shown?.picture ? shown : undefined
      },
      move: (slider, value) => {
        slider.value = String(value)
        const begun = performance.now()
        slider.dispatchEvent(new Event('input', { bubbles: true }))
        return begun
      },
    })
  })
  await page.goto(url)
  await page.waitForFunction(() => globalThis.lab?.shown())
  return page
}

async function choosePoints(page, count) {
  await page.evaluate((value) => move(sliderOf('points'), value), Math.log10(count))
  await until(page, (wanted) => Math.abs(lab.points().length - wanted) <= 0.02 * wanted, count)
  await trained(page)
  // Until the picture at rest is there.
  await page.waitForTimeout(1000)
}

function trained(page) {
  return until(
    page,
    () => lab.shown()?.points === lab.points() && lab.shown()?.settings === lab.state().settings,
  )
}

/** Asks now and then. Locators and waits of Playwright bring tasks of their own, longer than those of the page. */
async function until(page, isSo, wanted) {
  const end = Date.now() + 120_000
  while (!(await page.evaluate(isSo, wanted))) {
    if (Date.now() > end) throw new Error(`waited in vain until ${isSo}`)
    await page.waitForTimeout(50)
  }
}

/** What the main thread did during `act`: for each task its milliseconds by the clock and of the processor. */
async function traceTasks(page, act) {
  const client = await page.context().newCDPSession(page)
  const events = []
  client.on('Tracing.dataCollected', ({ value }) => events.push(...value))
  await client.send('Tracing.start', {
    transferMode: 'ReportEvents',
    traceConfig: { includedCategories: ['toplevel', 'devtools.timeline', '__metadata'] },
  })
  await act()
  const complete = new Promise((resolve) => client.once('Tracing.tracingComplete', resolve))
  await client.send('Tracing.end')
  await complete
  await client.detach()
  const mains = new Set(
    events.flatMap(({ name, args, pid, tid }) =>
      name === 'thread_name' && args.name === 'CrRendererMain' ? [`${pid}:${tid}`] : [],
    ),
  )
  return events
    .filter(({ name, pid, tid, dur }) => /RunTask$/.test(name) && mains.has(`${pid}:${tid}`) && dur > 1000)
    .map(({ dur, tdur }) => ({ clock: dur / 1000, processor: (tdur ?? 0) / 1000 }))
}

/** What was found in one round, in few numbers. */
function summarise({ slide: moves, drag: dragged, block: blocked, play: played, turn: turned }) {
  const percentile = (list, share) => [...list].sort((a, b) => a - b)[Math.floor(share * (list.length - 1))]
  const spread = ({ times }) => ({
    best: Math.min(...times),
    median: median(times),
    p90: percentile(times, 0.9),
    worst: Math.max(...times),
  })
  const rate = (times) => (1000 * times.length) / times.reduce((sum, time) => sum + time, 0)
  const longest = (tasks) => ({
    clock: Math.max(...tasks.map(({ clock }) => clock)),
    processor: Math.max(...tasks.map(({ processor }) => processor)),
    over50: tasks.filter(({ clock }) => clock > 50).length,
  })
  return {
    ...(moves && {
      slide: {
        ...spread(moves),
        trainMs: median(moves.parts.map(({ trainMs }) => trainMs)),
        fieldMs: median(moves.parts.map(({ fieldMs }) => fieldMs)),
      },
    }),
    ...(dragged && { drag: { ...spread(dragged), pictures: dragged.times.length } }),
    ...(blocked && { block: longest(blocked.tasks), open: longest(blocked.opening) }),
    ...(turned && {
      turn: { framesPerSecond: rate(turned.times), ...spread(turned), ...longest(turned.tasks) },
    }),
    ...(played && {
      play: {
        framesPerSecond: rate(played.times),
        ...spread(played),
        picturesPerSecond: (1000 * played.pictures) / played.times.reduce((sum, time) => sum + time, 0),
        lateShare: played.times.filter((time) => time > 25).length / played.times.length,
        steps: played.steps,
      },
    }),
  }
}

function startCommand(checkout) {
  const command = spawn(
    process.execPath,
    [join(checkout, 'dist/cli/main.js'), 'lab', '--port', '0', '--json'],
    {
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  )
  return new Promise((settle, fail) => {
    command.stdout.once('data', (chunk) => settle({ command, url: JSON.parse(String(chunk)).url }))
    command.once('close', (code) => fail(new Error(`hyperplane lab ended with exit code ${code}`)))
  })
}

/** Of each number the best and the middle of all rounds. */
function print(results) {
  const columns = [
    ['slide, ms (< 50)', ({ slide }) => slide?.median],
    ['slide, p90', ({ slide }) => slide?.p90],
    ['slide, training alone', ({ slide }) => slide?.trainMs],
    ['slide, field alone', ({ slide }) => slide?.fieldMs],
    ['drag, ms', ({ drag }) => drag?.median],
    ['longest task, ms (< 50)', ({ block }) => block?.clock],
    ['of the processor', ({ block }) => block?.processor],
    ['opening, ms', ({ open }) => open?.clock],
    ['of the processor', ({ open }) => open?.processor],
    ['frames/s (60)', ({ play }) => play?.framesPerSecond],
    ['pictures/s (60)', ({ play }) => play?.picturesPerSecond],
    ['late frames, %', ({ play }) => play && 100 * play.lateShare],
    ['turning, frames/s (60)', ({ turn }) => turn?.framesPerSecond],
    ['longest task, turning', ({ turn }) => turn?.clock],
    ['of the processor', ({ turn }) => turn?.processor],
  ]
  const machine = describeMachine()
  console.log(`${machine.cpu}, ${machine.cores} cores, ${machine.system}, load ${load().toFixed(1)}`)
  for (const { checkout, rounds } of results) {
    console.log(`\n${checkout}: ${rounds.length} rounds`)
    for (const [title, read] of columns) {
      const values = rounds.map(read).filter((value) => value !== undefined)
      if (values.length === 0) continue
      const best = title.endsWith('/s (60)') ? Math.max(...values) : Math.min(...values)
      console.log(
        `  ${title.padEnd(26)} best ${best.toFixed(1).padStart(6)}  median ${median(values).toFixed(1).padStart(6)}`,
      )
    }
  }
  console.log(`\n${JSON.stringify({ machine, results })}`)
}

async function main(args) {
  const option = (name, usual) => {
    const at = args.indexOf(name)
    return at < 0 ? usual : args.splice(at, 2)[1]
  }
  const rounds = Number(option('--rounds', 3))
  const only = option('--only', Object.keys(measures).join()).split(',')
  const here = resolve(import.meta.dirname, '..')
  const checkouts = [...new Set([here, ...args.map((path) => resolve(path))])]
  const servers = await Promise.all(checkouts.map(startCommand))
  const results = checkouts.map((checkout) => ({ checkout, rounds: [] }))
  try {
    for (let round = 0; round < rounds; round++) {
      for (const [k, { url }] of servers.entries()) {
        const found = {}
        for (const name of only) {
          // A browser each: nothing is left over from the last.
          const browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu'] })
          found[name] = await measures[name](browser, url)
          await browser.close()
        }
        results[k].rounds.push({ load: load(), ...summarise(found) })
      }
    }
  } finally {
    for (const { command } of servers) {
      command.removeAllListeners('close')
      command.kill('SIGINT')
    }
  }
  print(results)
}

await main(process.argv.slice(2))
