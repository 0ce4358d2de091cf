/** Play, pause, step, speed, and a slider through the whole run. */
import { formatNumber, Slider } from '../controls/fields.tsx'
import { Icon, type IconName } from '../controls/icon.tsx'
import { playing, seek, speed, stepBy, take, togglePlay, toldFrame } from './player.ts'

/** See the header of the file. */
export function Transport() {
  const { recording } = take.value ?? {}
  const last = (recording?.frames ?? 1) - 1
  const done = recording?.stepAt[toldFrame.value] ?? 0
  const stride = recording ? (recording.stepAt[last - 1] ?? 0) - (recording.stepAt[last - 2] ?? 0) : 1
  const button = (label: string, icon: IconName, act: () => void) => (
    <button type="button" class="icon" aria-label={label} title={label} disabled={!recording} onClick={act}>
      <Icon name={icon} />
    </button>
  )
  return (
    <section class="card transport" aria-label="Playback">
      <div class="spread">
        <div class="row">
          {button('To the start', 'start', () => seek(0))}
          {button('One step back', 'back', () => stepBy(-1))}
          <button
            type="button"
            class="primary round"
            aria-label={playing.value ? 'Pause' : 'Play'}
            title={playing.value ? 'Pause' : 'Play'}
            disabled={!recording}
            onClick={togglePlay}
          >
            <Icon name={playing.value ? 'pause' : 'play'} />
          </button>
          {button('One step forward', 'next', () => stepBy(1))}
          {button('To the end', 'end', () => seek(last))}
        </div>
        <div class="speed">
          <Slider
            label="speed"
            value={speed.value}
            min={0}
            max={3}
            log
            show={(value) => `${formatNumber(value, 2)} steps/s`}
            onInput={(next) => {
              speed.value = next
            }}
          />
        </div>
      </div>
      <Slider
        label={`Step ${done} of ${recording?.steps ?? 0}`}
        value={toldFrame.value}
        min={0}
        max={Math.max(1, last)}
        step={1}
        show={() => (stride > 1 ? `later steps: one in ${stride} is shown` : '')}
        onInput={seek}
      />
    </section>
  )
}
