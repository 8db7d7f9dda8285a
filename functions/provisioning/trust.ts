/** The trust store of the host, for scripts, wherever it is in the image. */
import { bring, bringIn, whenBrought } from '#lib/fn/brought-files.ts';
import { quoted } from '#lib/fn/quoted.ts';
import { anyImagePuller } from '../bootstrap/traits.ts';

/** Shell code that makes the host and its image pullers trust these certificates, and removes older ones of ours. */
export function trusting(certificates: readonly string[]): string {
  const files = certificates.map(
    (pem, index) => `printf '%s\\n' ${quoted(pem.trim())} >"$folder/slipway-${index}.$ending"\n`,
  );
  return `${FOLDER}rm -f "$folder"/slipway-*
${files.join('')}${TRUST}# Image pullers read certificates when they start; running containers continue.
${pullersAgain()}`;
}

/**
 * The same for a host that runs, which has no certificate of ours that is not among these. Nothing is done for those
 * that it has.
 */
export function trustingMore(certificates: readonly string[]): string {
  const calls = certificates.map((pem, index) =>
    bring(`"$folder/slipway-${index}.$ending"`, '0644', `${pem.trim()}\n`),
  );
  return `${FOLDER}${bringIn('/run/slipway-trust.pending')}${calls.join('')}${whenBrought(`${TRUST}${pullersAgain()}`)}`;
}

// In this order: SUSE, Fedora and similar; Debian and similar; Flatcar, whose /usr is read-only.
const FOLDER = `ending=crt
if [ -d /etc/pki/trust/anchors ]; then
  folder=/etc/pki/trust/anchors
elif [ -d /etc/pki/ca-trust/source/anchors ]; then
  folder=/etc/pki/ca-trust/source/anchors
elif [ -d /usr/local/share/ca-certificates ]; then
  folder=/usr/local/share/ca-certificates
else
  folder=/etc/ssl/certs
  ending=pem
fi
`;

const TRUST = `if command -v update-ca-certificates >/dev/null; then update-ca-certificates; else update-ca-trust; fi
`;

function pullersAgain(): string {
  return `for unit in ${['containerd', 'crio', ...anyImagePuller()].join(' ')}; do
  if systemctl is-active --quiet "$unit"; then systemctl restart "$unit"; fi
done
`;
}
