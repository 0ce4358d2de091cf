/** A stop of the story: three sentences, the formula, one thing to do, and the way to the others. */
import { useEffect, useRef } from 'preact/hooks'
import { Icon } from '../controls/icon.tsx'
import { Formula } from '../words/explain.tsx'
import { type Stop, symbolsOf } from './stop.ts'
import { closeStory, done, move, openStory, stop, stops } from './story.ts'

/** See the header of the file. */
export function StoryCard() {
  const now = stop.value
  const title = useRef<HTMLHeadingElement>(null)
  // The focus goes to the title of a new stop, so that a screen reader begins there.
  useEffect(() => title.current?.focus({ preventScroll: true }), [now])
  if (!now) return null
  const at = stops.value.indexOf(now)
  const isDone = done.value.has(now.name)
  return (
    <section class="card story" aria-labelledby="story-title">
      <div class="spread">
        <h2 id="story-title" ref={title} tabIndex={-1}>
          {at + 1}. {now.title}
        </h2>
        <div class="row">
          <select
            aria-label="Stop of the story"
            value={now.name}
            onChange={({ currentTarget }) => openStory(currentTarget.value)}
          >
            {stops.value.map(({ name, title: text }, k) => (
              <option key={name} value={name}>
                {k + 1}. {text}
                {done.value.has(name) ? ' ✓' : ''}
              </option>
            ))}
          </select>
          <button type="button" disabled={at === 0} onClick={() => move(-1)}>
            Back
          </button>
          <button
            type="button"
            class={isDone ? 'primary' : ''}
            disabled={at === stops.value.length - 1}
            onClick={() => move(1)}
          >
            Next
          </button>
          <button type="button" onClick={closeStory} aria-label="Leave the story" title="Leave the story">
            <Icon name="erase" />
          </button>
        </div>
      </div>
      <div class="words">
        <p>{now.words.join(' ')}</p>
        <div>
          {now.formulas.map((markup) => (
            <Formula key={markup} markup={markup} />
          ))}
          <Symbols now={now} />
          <a href={`./docs/theory/${now.theory}`} target="_blank" rel="noopener">
            The theory behind it
          </a>
        </div>
      </div>
      <p class={isDone ? 'task done' : 'task'} role="status">
        <b>{isDone ? 'Done. ' : 'Try it: '}</b>
        {isDone ? now.seen : now.task}
      </p>
    </section>
  )
}

/** What the letters of the formulas mean. */
function Symbols({ now }: { readonly now: Stop }) {
  const symbols = symbolsOf(now)
  if (symbols.length === 0) return null
  return (
    <dl class="symbols">
      {symbols.map(([letter, meaning]) => (
        <div key={letter}>
          <dt>{letter}</dt>
          <dd>{meaning}</dd>
        </div>
      ))}
    </dl>
  )
}
