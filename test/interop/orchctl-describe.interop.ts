import { besideKubectl } from './orchctl/beside-kubectl.ts';
import { DESCRIBE_LINES } from './orchctl/describe-lines.ts';
import { DESCRIBED, DESCRIBED_CLUSTER } from './orchctl/described.ts';

besideKubectl('orchctl describe beside that of kubectl 1.32', {
  lines: DESCRIBE_LINES,
  cluster: DESCRIBED_CLUSTER,
  objects: DESCRIBED,
});
