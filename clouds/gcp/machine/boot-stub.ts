/** The script that fetches first-boot data from Secret Manager with the service account of the machine. */
import { boothook } from '#lib/cloud/boothook.ts';
import type { Place } from './place.ts';

export function bootStub({ secret, proxy }: Place): Uint8Array {
  return boothook({ secret }, STORE, proxy);
}

const STORE = `METADATA = "http://169.254.169.254/computeMetadata/v1/"
API = "https://secretmanager.googleapis.com/v1/"


def metadata(path):
    return send("GET", METADATA + path, {"Metadata-Flavor": "Google"}, proxies={})


def call(path):
    token = json.loads(metadata("instance/service-accounts/default/token"))["access_token"]
    headers = {"Authorization": "Bearer " + token, "Content-Type": "application/json"}
    return json.loads(send("GET", API + path, headers))


def read():
    name = "projects/%s/secrets/%s" % (metadata("project/project-id"), WHERE["secret"])
    version = call(name + "/versions/latest:access")
    data = base64.b64decode(version["payload"]["data"])
    return gzip.decompress(data) if data[:2] == b"\\x1f\\x8b" else data


def remove():  # Slipway deletes it once the node registered: this account may only read
    pass
`;
