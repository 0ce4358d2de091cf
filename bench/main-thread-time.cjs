// Required by a command of ours that is measured: writes the CPU seconds of its main thread to the file that the environment
// names. Linux only.
const { readFileSync, writeFileSync } = require('node:fs')

process.on('exit', () => {
  const nanoseconds = readFileSync(`/proc/self/task/${process.pid}/schedstat`, 'utf8').split(' ')[0]
  writeFileSync(process.env.MAIN_THREAD_TIME, String(Number(nanoseconds) / 1e9))
})
