/** The points: presets with their sliders, and what a click on the plane does. */

import { draw } from '../plane/edits.ts'
import { choosePreset, isExample37, lifted, presets } from '../plane/presets.ts'
import { reducedMotion } from '../plane/theme.ts'
import { fitView } from '../plane/zoom.ts'
import { type PresetName, presetNames } from '../state/lab-state.ts'
import { limitWords } from '../state/limits.ts'
import { change, points, state } from '../state/store.ts'
import { Explain } from '../words/explain.tsx'
import { Menu, Slider, WholeNumber } from './fields.tsx'

/** See the header of the file. */
export function DataControls() {
  const { source } = state.value
  const preset = source.kind === 'preset' ? source : undefined
  const options = presetNames.map((name) => [name, presets[name].title] as const)
  const modify = (part: { size?: number; noise?: number; seed?: number }, group: string) => {
    if (preset) change({ source: { ...preset, ...part } }, group)
  }
  return (
    <section class="card" aria-labelledby="data-title">
      <h2 id="data-title">Points</h2>
      <Menu<PresetName | 'drawn'>
        label="Preset"
        value={preset?.name ?? 'drawn'}
        options={preset ? options : [['drawn', 'drawn by hand'], ...options]}
        onChange={(name) => {
          if (name !== 'drawn') change(choosePreset(state.value, name))
        }}
      />
      {preset && presets[preset.name].mostPoints > 150 && (
        <Slider
          label="points"
          value={preset.size}
          min={1}
          max={Math.log10(presets[preset.name].mostPoints)}
          step="any"
          log
          show={(value) => String(Math.round(value))}
          onInput={(size) => modify({ size: Math.round(size) }, 'size')}
        />
      )}
      {preset && presets[preset.name].mostNoise > 0 && (
        <Slider
          label="noise"
          value={preset.noise}
          min={0}
          max={presets[preset.name].mostNoise}
          step={0.01}
          onInput={(noise) => modify({ noise }, 'noise')}
        />
      )}
      {preset && presets[preset.name].mostNoise > 0 && (
        <WholeNumber
          label="seed of the points"
          value={preset.seed}
          onChange={(seed) => modify({ seed }, 'seed')}
        />
      )}
      {state.value.mode === 'plane' && (
        <Slider
          label="held out for testing"
          value={state.value.heldOut}
          min={0}
          max={0.5}
          step={0.05}
          show={(value) => `${Math.round(100 * value)}%`}
          onInput={(heldOut) => change({ heldOut }, 'heldOut')}
        />
      )}
      {limitWords(state.value.mode) && <p class="hint">{limitWords(state.value.mode)}</p>}
      <div class="row">
        {preset && presets[preset.name].mostNoise > 0 && (
          <button type="button" onClick={() => modify({ seed: preset.seed + 1 }, '')}>
            Draw again
          </button>
        )}
        <button type="button" onClick={() => draw([])}>
          Clear
        </button>
        <button type="button" onClick={fitView}>
          Fit view
        </button>
      </div>
      {isExample37(points.value) && <Lift />}
    </section>
  )
}

/** Lifts the points of example 3.7 from the line to the parabola, and back. */
function Lift() {
  const up = points.value.some(({ y }) => y !== 0)
  return (
    <>
      <button type="button" class="primary" onClick={() => animateLift(!up)}>
        {up ? 'Back to the line' : 'Lift to (x, x²)'}
      </button>
      <Explain topic="lift" open />
    </>
  )
}

const LIFT_MS = 700

function animateLift(up: boolean): void {
  const from = points.value
  const to = up ? lifted(from) : from.map((point) => ({ ...point, y: 0 }))
  if (reducedMotion()) {
    draw(to, 'lift')
    return
  }
  const started = performance.now()
  const frame = (now: number) => {
    const t = Math.min(1, (now - started) / LIFT_MS)
    const ease = t * t * (3 - 2 * t)
    draw(
      t === 1 ? to : from.map((point, i) => ({ ...point, y: point.y + ease * (to[i].y - point.y) })),
      'lift',
    )
    if (t < 1) requestAnimationFrame(frame)
  }
  requestAnimationFrame(frame)
}
