import type { Model } from '../model.ts'

/** The JSON text of a model: every number comes back to the last bit. */
export function formatJsonModel(model: Model): string {
  return `${JSON.stringify(model)}\n`
}
