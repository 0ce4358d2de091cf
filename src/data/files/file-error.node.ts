import { DataError } from '../../base/errors.ts'

const explanations: Readonly<Record<string, string>> = {
  ENOENT: 'no such file or directory',
  ENOTDIR: 'no such file or directory',
  EISDIR: 'is a directory, not a file',
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  ENOSPC: 'no space left on the disk',
  EDQUOT: 'no space left for this user on the disk',
  EFBIG: 'larger than files may be here',
  EIO: 'the disk failed (input/output error)',
  ELOOP: 'too many symbolic links',
  EROFS: 'the file system is read-only',
}

/** Makes an error of the file system a {@link DataError} that names the file; other errors stay as they are. */
export function explainFileError(path: string, error: unknown): unknown {
  const { code, syscall } = error as NodeJS.ErrnoException
  if (syscall === undefined || code === undefined) return error
  return new DataError(`${path}: ${explanations[code] ?? code}`, { cause: error })
}
