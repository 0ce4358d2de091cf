// Loaded into a command before anything else (--require): makes one of its writes fail, or all of them short, as
// HYPERPLANE_FAULT says: {"kind":"ENOSPC"|"EIO"|"short","at":n}. What is counted: writes to files other than stdout and
// stderr, flushes, renames. A full disk takes a part of what fails.
const fs = require('node:fs')
const { syncBuiltinESMExports } = require('node:module')

const { kind, at } = JSON.parse(process.env.HYPERPLANE_FAULT)
const errors = { ENOSPC: [-28, 'no space left on device'], EIO: [-5, 'i/o error'] }
let calls = 0

/** Whether this call is the one that fails. */
const isNext = () => kind !== 'short' && calls++ === at

function fault(syscall) {
  const [errno, words] = errors[kind]
  return Object.assign(new Error(`${kind}: ${words}, ${syscall}`), { errno, code: kind, syscall })
}

const { writeSync, fsyncSync } = fs
fs.writeSync = (file, bytes, from = 0, ...rest) => {
  if (file < 3 || typeof bytes === 'string') return writeSync(file, bytes, from, ...rest)
  const left = bytes.length - from
  if (isNext()) {
    if (kind === 'ENOSPC' && left > 1) writeSync(file, bytes, from, left >> 1)
    throw fault('write')
  }
  return writeSync(file, bytes, from, kind === 'short' ? Math.min(left, 1 + at) : left)
}
fs.fsyncSync = (file) => {
  if (isNext()) throw fault('fsync')
  return fsyncSync(file)
}
const { rename, open } = fs.promises
fs.promises.rename = async (from, to) => {
  if (isNext()) throw fault('rename')
  return rename(from, to)
}
let isPatched = false
fs.promises.open = async (...words) => {
  const file = await open(...words)
  if (!isPatched) {
    isPatched = true
    patch(Object.getPrototypeOf(file))
  }
  return file
}

function patch(handle) {
  const { writeFile, sync, write } = handle
  handle.writeFile = async function (content, ...rest) {
    if (!isNext()) return writeFile.call(this, content, ...rest)
    const bytes = Buffer.from(content)
    if (kind === 'ENOSPC') await write.call(this, bytes, 0, bytes.length >> 1)
    throw fault('write')
  }
  handle.sync = async function () {
    if (isNext()) throw fault('fsync')
    return sync.call(this)
  }
}

syncBuiltinESMExports()
