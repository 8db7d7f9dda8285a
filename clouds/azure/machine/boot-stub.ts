/** The script that fetches first-boot data from Key Vault with the identity of the machine. */
import { boothook } from '#lib/cloud/boothook.ts';
import type { Place } from './place.ts';

export function bootStub({ secret, parts, identity, domain, proxy }: Place): Uint8Array {
  return boothook({ secret, parts, identity, domain }, STORE, proxy);
}

const STORE = `METADATA = "http://169.254.169.254/metadata/identity/oauth2/token?api-version=2018-02-01"
RESOURCE = "&resource=https%3A%2F%2F" + WHERE["domain"] + "&msi_res_id="


def token():
    identity = urllib.parse.quote(WHERE["identity"], safe="")
    answer = send("GET", METADATA + RESOURCE + identity, {"Metadata": "true"}, proxies={})
    return json.loads(answer)["access_token"]


def value(url, headers):
    return json.loads(send("GET", url + "?api-version=7.4", headers))["value"]


def read():
    headers = {"Authorization": "Bearer " + token()}
    if WHERE["parts"] == 0:
        return value(WHERE["secret"], headers).encode()
    parts = [value("%s-%d" % (WHERE["secret"], part), headers) for part in range(WHERE["parts"])]
    return gzip.decompress(base64.b64decode("".join(parts)))


def remove():  # Slipway deletes it once the node registered: this identity may only read
    pass
`;
