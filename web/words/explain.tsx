/** One explanation, folded away until it is wanted. */
import { type Topic, type TopicName, topics } from './topics.ts'

/** See the header of the file. */
export function Explain({ topic, open = false }: { readonly topic: TopicName; readonly open?: boolean }) {
  const { title, words, formulas = [], theory }: Topic = topics[topic]
  return (
    <details class="explain" open={open}>
      <summary>{title}</summary>
      {words.map((paragraph) => (
        <p key={paragraph}>{paragraph}</p>
      ))}
      {formulas.map((markup) => (
        <Formula key={markup} markup={markup} />
      ))}
      <p>
        <a href={`./docs/theory/${theory}`} target="_blank" rel="noopener">
          The theory behind it
        </a>
      </p>
    </details>
  )
}

/** A formula on its own line. */
export function Formula({ markup }: { readonly markup: string }) {
  return (
    <div class="formula" dangerouslySetInnerHTML={{ __html: `<math displaystyle="true">${markup}</math>` }} />
  )
}
