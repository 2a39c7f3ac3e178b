import { besideKubectl } from './orchctl/beside-kubectl.ts';
import { CERTIFICATE_FILES, CERTIFICATE_LINES, CERTIFICATE_REQUESTS } from './orchctl/certificate-lines.ts';

besideKubectl('orchctl certificate and get -f beside those of kubectl 1.32', {
  lines: CERTIFICATE_LINES,
  files: CERTIFICATE_FILES,
  objects: CERTIFICATE_REQUESTS,
});
