import { readVersion, RELEASE, type BuildVersion } from '../../app/version.ts';
import type { VersionInfo } from '../../meta/version-info.ts';

const BUILD: BuildVersion = readVersion(process.env);

/** Of orchctl itself, such as `v1.32.13+orch.0.1.0`. */
export const VERSION = BUILD.gitVersion;

/** Everything about this orchctl. Node stands where other programs name their compiler. */
export function clientVersion(): VersionInfo {
  return {
    major: RELEASE.major,
    minor: RELEASE.minor,
    gitVersion: BUILD.gitVersion,
    gitCommit: BUILD.gitCommit,
    gitTreeState: 'clean',
    buildDate: BUILD.buildDate,
    goVersion: '',
    compiler: `node ${process.version}`,
    platform: `${process.platform}/${process.arch === 'x64' ? 'amd64' : process.arch}`,
  };
}
