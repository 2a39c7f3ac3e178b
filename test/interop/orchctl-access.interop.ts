import { ACCESS_LINES } from './orchctl/access-lines.ts';
import { besideKubectl } from './orchctl/beside-kubectl.ts';

besideKubectl('orchctl auth beside kubectl 1.32', { lines: ACCESS_LINES, files: {} });
