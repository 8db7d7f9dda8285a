import type { JsonObject } from '#lib/api/json.ts';
import { host } from './input.ts';

const PEM = '-----BEGIN CERTIFICATE-----\nAA==\n-----END CERTIFICATE-----\n';
/** Of no authority: CA:FALSE. Its key is lost. */
const SERVER = [
  '-----BEGIN CERTIFICATE-----',
  'MIIBcjCCARigAwIBAgIUGNHm+ZNHxehLthS2Ch2vuI2e6jIwCgYIKoZIzj0EAwIw',
  'DzENMAsGA1UEAwwEZmFrZTAgFw0yNjExMjQxNzE2NDJaGA8yMTI2MTAzMTE3MTY0',
  'MlowDzENMAsGA1UEAwwEZmFrZTBZMBMGByqGSM49AgEGCCqGSM49AwEHA0IABEX6',
  'LhieuMf3KYoinTkNVtUtqQsmizV/iFa7TXvRrKeqV84P/cYI17CD3fArbQp99fid',
  'A1TBDIKq/l33Llp09j2jUDBOMB0GA1UdDgQWBBRncnBaks1nJRQM51PMWrMEaHon',
  'tjAfBgNVHSMEGDAWgBRncnBaks1nJRQM51PMWrMEaHontjAMBgNVHRMBAf8EAjAA',
  'MAoGCCqGSM49BAMCA0gAMEUCIQCGgSjgPlKSSAqvyFYhqh+Um0Y8Kgt0BqepeiVw',
  'Kkk++AIgIqVav2OGx/5vblxZAVPXaG8xsZ84zsFfQK2fwm9nCBE=',
  '-----END CERTIFICATE-----',
  '',
].join('\n');
const KEY = '-----BEGIN PRIVATE KEY-----\nZmFrZQ==\n-----END PRIVATE KEY-----\n';

/** CA certificates that no host could trust. */
export const CERTIFICATES: Readonly<Record<string, JsonObject>> = {
  'a CA certificate that is none': host({ caCertificates: ['hello'] }),
  'a CA certificate that is a private key': host({ caCertificates: [KEY] }),
  'a CA certificate with a private key after it': host({ caCertificates: [PEM + KEY] }),
  'a CA certificate without a body': host({
    caCertificates: ['-----BEGIN CERTIFICATE-----\n-----END CERTIFICATE-----\n'],
  }),
  'a CA certificate that is cut off': host({ caCertificates: ['-----BEGIN CERTIFICATE-----\nAA=='] }),
  'a CA certificate that is no DER': host({ caCertificates: [PEM] }),
  'a CA certificate of a server': host({ caCertificates: [SERVER] }),
  'a CA certificate that is empty': host({ caCertificates: [''] }),
  'a CA certificate of a registry that is none': host({
    registries: [{ host: 'docker.io', mirrors: ['https://m.example.com'], caCertificate: 'x' }],
  }),
};
