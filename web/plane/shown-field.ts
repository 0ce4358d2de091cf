/** What of a picture is painted as its field. */
import type { Picture } from '../worker/messages.ts'
import type { Field } from './scene.ts'

/** The same object for the same picture: by that the painter knows that nothing has changed. */
const voteFields = new WeakMap<Picture, Field>()

/** The votes of the pairs where they are needed and there are any, else the picture itself. */
export function shownField(picture: Picture, wantsVotes: boolean): Field {
  const { pairFields, classes, grid } = picture
  if (!wantsVotes || !pairFields) return picture
  const field = voteFields.get(picture) ?? { kind: 'votes', classes, fields: pairFields, grid }
  voteFields.set(picture, field)
  return field
}
