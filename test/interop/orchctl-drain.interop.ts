import { besideKubectl } from './orchctl/beside-kubectl.ts';
import { DRAIN_LINES, DRAINED } from './orchctl/drain-lines.ts';

besideKubectl('orchctl drain beside that of kubectl 1.32', { lines: DRAIN_LINES, objects: DRAINED });
