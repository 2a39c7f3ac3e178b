import { besideKubectl } from './orchctl/beside-kubectl.ts';
import { CREATE_LINES } from './orchctl/create-lines.ts';
import { LINES } from './orchctl/lines.ts';
import { FILES } from './orchctl/manifests.ts';

besideKubectl('orchctl beside kubectl 1.32', {
  lines: [...LINES, ...CREATE_LINES],
  files: FILES,
});
