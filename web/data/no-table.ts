/** Files that are no tables, recognised by their first bytes, and what helps. */

const kinds: readonly (readonly [bytes: readonly number[], words: string])[] = [
  [
    [0x50, 0x4b, 0x03, 0x04],
    'this is a spreadsheet or an archive (.xlsx, .ods, .zip). In the spreadsheet program save the sheet as CSV, and open that file',
  ],
  [
    [0xd0, 0xcf, 0x11, 0xe0],
    'this is an old spreadsheet (.xls). In the spreadsheet program save the sheet as CSV, and open that file',
  ],
  [[0x89, 0x50, 0x4e, 0x47], image()],
  [[0xff, 0xd8, 0xff], image()],
  [[0x47, 0x49, 0x46, 0x38], image()],
  [[0x25, 0x50, 0x44, 0x46], 'this is a PDF document. The Lab reads tables: CSV, TSV, LIBSVM or Parquet'],
]

function image(): string {
  return 'this is an image. The Lab reads tables: one row per image, one column per pixel or feature, and a label'
}

/** Why a file cannot be a table, in words; undefined if it may be one. */
export function whyNoTable(bytes: Uint8Array): string | undefined {
  return kinds.find(([start]) => start.every((byte, k) => bytes[k] === byte))?.[1]
}
