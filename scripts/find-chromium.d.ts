export const browsers: readonly string[]
export function findChromium(): string | undefined
