/** Files that are no tables, recognised by their first bytes, and what helps. */

const SHEET = 'In the spreadsheet program, save the sheet as CSV, and open that file'
const FORMATS = 'The Lab reads tables: CSV, TSV, JSON records, LIBSVM or Parquet'
const IMAGE = `this is an image. ${FORMATS}. For images: one row per image, one column per pixel or feature, and a label`
const SOUND = `this is sound or video. ${FORMATS}. For recordings: one row per recording, one column per feature, and a label`

/** How a file of a kind starts, and what is said about it. `?` stands for any character. */
const kinds: readonly (readonly [start: string, words: string])[] = [
  ['\xd0\xcf\x11\xe0', `this is an old spreadsheet or document (.xls, .doc). ${SHEET}`],
  ['\x89PNG', IMAGE],
  ['\xff\xd8\xff', IMAGE],
  ['GIF8', IMAGE],
  ['RIFF????WEBP', IMAGE],
  ['II*\0', IMAGE],
  ['MM\0*', IMAGE],
  ['????ftyphei', IMAGE],
  ['????ftypavif', IMAGE],
  ['????ftyp', SOUND],
  ['RIFF', SOUND],
  ['ID3', SOUND],
  ['OggS', SOUND],
  ['fLaC', SOUND],
  ['%PDF', `this is a PDF document. ${FORMATS}`],
  ['{\\rtf', `this is a text document (.rtf). ${FORMATS}`],
  ['SQLite format 3', 'this is an SQLite database. Export the table as CSV, and open that file'],
  ['\x89HDF', 'this is an HDF5 file. With pandas: pd.read_hdf(…).to_csv("table.csv", index=False)'],
  ['\x93NUMPY', 'this is a NumPy array. With NumPy: numpy.savetxt("table.csv", array, delimiter=",")'],
  ['ARROW1', 'this is an Arrow or Feather file. With pandas: pd.read_feather(…).to_parquet("table.parquet")'],
  ['\x80\x04', 'this is a Python pickle. With pandas: frame.to_csv("table.csv", index=False)'],
  ['\x80\x05', 'this is a Python pickle. With pandas: frame.to_csv("table.csv", index=False)'],
  ['7z\xbc\xaf', 'this is a 7-Zip archive. Unpack it, and open the table inside'],
  ['Rar!', 'this is a RAR archive. Unpack it, and open the table inside'],
]

/** Bytes that are looked at: the names of the first files of an archive are among them. */
const HEAD = 4096

/** Why a file cannot be a table, in words; undefined if it may be one. */
export function whyNoTable(name: string, bytes: Uint8Array): string | undefined {
  const head = new TextDecoder('latin1').decode(bytes.subarray(0, HEAD))
  // The decoder's Latin-1 is windows-1252: the bytes themselves are wanted.
  const raw = String.fromCharCode(...bytes.subarray(0, 16))
  if (raw.startsWith('PK\x03\x04')) return aboutArchive(name, head)
  if (/^\s*(<!doctype html|<html)/i.test(head)) {
    return `this is a web page. Was the link to the file saved in place of the file? ${FORMATS}`
  }
  if (/^\s*(<\?xml|<svg)/i.test(head)) return `this is XML. ${FORMATS}`
  return kinds.find(([start]) => [...start].every((one, k) => one === '?' || raw[k] === one))?.[1]
}

/** Workbooks and documents are ZIP archives: the files inside tell which. */
function aboutArchive(name: string, head: string): string {
  if (/\.(xlsx|xlsm|xlsb)$/i.test(name) || /xl\//.test(head)) return `this is an Excel workbook. ${SHEET}`
  if (/\.ods$/i.test(name) || /opendocument\.spreadsheet/.test(head)) {
    return `this is a LibreOffice spreadsheet. ${SHEET}`
  }
  if (/\.numbers$/i.test(name)) return `this is a Numbers spreadsheet. ${SHEET}`
  if (/\.docx$/i.test(name) || /word\//.test(head)) return `this is a Word document. ${FORMATS}`
  if (/\.npz$/i.test(name) || /\.npy/.test(head)) {
    return 'these are NumPy arrays. With NumPy: numpy.savetxt("table.csv", array, delimiter=",")'
  }
  return 'this is a ZIP archive. Unpack it, and open the table inside'
}
