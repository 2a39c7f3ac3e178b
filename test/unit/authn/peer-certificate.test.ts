import assert from 'node:assert/strict';
import { X509Certificate } from 'node:crypto';
import type { TLSSocket } from 'node:tls';
import { makeCertificates } from '../../../src/app/certificates.ts';
import { Authorities } from '../../../src/authn/certificates.ts';
import { peerCertificates } from '../../../src/authn/peer-certificate.ts';

const DAY = 86_400_000;

describe('the certificate of a connection', () => {
  const start = Date.now();
  let now = start;
  beforeEach(() => (now = start));

  async function setUp() {
    const { authority, admin } = await makeCertificates({ hosts: ['localhost'], now: new Date(start) });
    const authorities = new Authorities([authority]);
    let read = 0;
    const peer = peerCertificates({ authorities, now: () => now, read: () => ++read });
    return { authority, authorities, peer, socket: socketOf(admin.certificate), times: () => read };
  }

  /** What is looked at of a connection. */
  function socketOf(pem: string, authorized = true): TLSSocket {
    const certificate = new X509Certificate(pem);
    const connection = {
      ...{ authorized, authorizationError: 'SELF_SIGNED' },
      getPeerX509Certificate: () => certificate,
      getPeerCertificate: () => undefined,
    };
    return connection as unknown as TLSSocket;
  }

  it('is looked at once', async () => {
    const { peer, socket, times } = await setUp();
    for (let time = 0; time < 3; time++) assert.equal(peer(socket), 1);
    assert.equal(times(), 1);
  });

  it('is looked at again when the authorities are others', async () => {
    const { authority, authorities, peer, socket } = await setUp();
    assert.equal(peer(socket), 1);
    authorities.replace([authority]);
    assert.equal(peer(socket), 2);
    const others = await makeCertificates({ hosts: ['localhost'], now: new Date(start) });
    authorities.replace([others.authority]);
    assert.throws(() => peer(socket), /signed by an unknown authority/);
    authorities.replace([others.authority, authority]);
    assert.equal(peer(socket), 3);
  });

  it('is looked at again when it expires', async () => {
    const { peer, socket } = await setUp();
    assert.equal(peer(socket), 1);
    now += 3660 * DAY;
    assert.throws(() => peer(socket), /the certificate has expired/);
    now = start - DAY * 3660;
    assert.throws(() => peer(socket), /the certificate is not yet valid|has expired/);
  });

  it('is refused where the handshake has refused it', async () => {
    const { authority, authorities } = await setUp();
    const peer = peerCertificates({ authorities, now: () => now, read: () => 'known' });
    assert.throws(() => peer(socketOf(authority, false)), /client certificate refused: SELF_SIGNED/);
  });

  it('may be absent', async () => {
    const { peer } = await setUp();
    const socket = { getPeerX509Certificate: () => undefined } as unknown as TLSSocket;
    assert.equal(peer(socket), undefined);
    assert.equal(peer(socket), undefined);
  });

  it('is not for clients when it is a server’s', async () => {
    const { serving, authority } = await makeCertificates({ hosts: ['localhost'], now: new Date(start) });
    const peer = peerCertificates({
      authorities: new Authorities([authority]),
      now: () => now,
      read: () => 1,
    });
    assert.throws(() => peer(socketOf(serving.certificate)), /the certificate is not for clients/);
  });
});
