import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The release of the interface that is served. */
export const RELEASE = { major: '1', minor: '32', patch: '13' } as const;

/** `major.minor` of the interface. */
export const RELEASE_NAME = `${RELEASE.major}.${RELEASE.minor}`;

/** What identifies this build; the form that clients of the interface expect. */
export interface BuildVersion {
  /** Of orch itself. */
  readonly version: string;
  readonly gitVersion: string;
  readonly gitCommit: string;
  /** RFC 3339. */
  readonly buildDate: string;
}

/** `src/app/` and `dist/app/` are equally far from it. */
const PACKAGE = join(import.meta.dirname, '..', '..', 'package.json');

/** Reads the package's version; a release build says its commit and date in the environment. */
export function readVersion(env: NodeJS.ProcessEnv): BuildVersion {
  const { version } = JSON.parse(readFileSync(PACKAGE, 'utf8')) as { version: string };
  const interfaceVersion = `${RELEASE_NAME}.${RELEASE.patch}`;
  return {
    version,
    gitVersion: `v${interfaceVersion}+orch.${version}`,
    gitCommit: env['ORCH_BUILD_COMMIT'] ?? '',
    buildDate: env['ORCH_BUILD_DATE'] ?? '1970-01-01T00:00:00Z',
  };
}
