import { besideKubectl } from './orchctl/beside-kubectl.ts';
import { EXPOSED, RUN_LINES } from './orchctl/run-lines.ts';

besideKubectl('orchctl run and expose beside those of kubectl 1.32', {
  lines: RUN_LINES,
  objects: () => EXPOSED,
});
