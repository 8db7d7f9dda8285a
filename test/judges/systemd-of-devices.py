"""The part of systemd that Ignition asks for: units of devices, by D-Bus. A device is there when its file is."""
import os, re, socket, struct, subprocess, sys, threading, time

PATH = sys.argv[1]
MANAGER = "org.freedesktop.systemd1.Manager"
clients = []


def padded(data, to):
    return data + b"\0" * (-len(data) % to)


def text(value):
    raw = value.encode()
    return struct.pack("<I", len(raw)) + raw + b"\0"


def signature(value):
    return bytes([len(value)]) + value.encode() + b"\0"


def message(kind, fields, body=b""):
    """fields: by their code, the type of each and its bytes."""
    header = b""
    for code, (sort, raw) in fields.items():
        header = padded(header, 8) + bytes([code]) + signature(sort)
        header = padded(header, 4 if sort != "g" else 1) + raw
    start = struct.pack("<cBBBIII", b"l", kind, 0, 1, len(body), 1, len(header))
    return padded(start + header, 8) + body


def strings(body):
    """As many as there are: the arguments of a call."""
    found, at = [], 0
    while at + 4 <= len(body):
        size = struct.unpack_from("<I", body, at)[0]
        found.append(body[at + 4 : at + 4 + size].decode())
        at += 4 + size + 1
        at += -at % 4
    return found


def device(unit):
    name = "/" + unit.removesuffix(".device").replace("-", "/")
    return re.sub(r"\\x([0-9a-f]{2})", lambda code: chr(int(code[1], 16)), name)


def job(serial):
    return "/org/freedesktop/systemd1/job/%d" % serial


def finish(unit, serial):
    until = time.monotonic() + 10
    while not os.path.exists(device(unit)) and time.monotonic() < until:
        subprocess.run(["udevadm", "settle"])
        time.sleep(0.1)
    result = "done" if os.path.exists(device(unit)) else "timeout"
    body = struct.pack("<I", serial)
    for value in (job(serial), unit, result):
        body = padded(body, 4) + text(value)
    fields = {
        1: ("o", text("/org/freedesktop/systemd1")),
        2: ("s", text(MANAGER)),
        3: ("s", text("JobRemoved")),
        8: ("g", signature("uoss")),
    }
    for client in list(clients):
        try:
            client.sendall(message(4, fields, body))
        except OSError:
            clients.remove(client)  # of a stage before


def serve(client):
    stream = client.makefile("rb")
    stream.read(1)
    for line in iter(stream.readline, b"BEGIN\r\n"):
        if line == b"":
            return
        answers = {b"AUTH\r\n": b"REJECTED EXTERNAL\r\n", b"NEGOTIATE_UNIX_FD\r\n": b"ERROR\r\n"}
        client.sendall(answers.get(line, b"OK " + b"0" * 32 + b"\r\n"))
    clients.append(client)
    while True:
        start = stream.read(16)
        if len(start) < 16:
            return
        size, serial, length = struct.unpack_from("<III", start, 4)
        header = stream.read(length + -length % 8)
        body = stream.read(size)
        replied = {5: ("u", struct.pack("<I", serial))}
        if b"StartUnit\0" in header:
            client.sendall(message(2, replied | {8: ("g", signature("o"))}, text(job(serial))))
            threading.Thread(target=finish, args=[strings(body)[0], serial]).start()
        else:
            client.sendall(message(2, replied))


os.makedirs(os.path.dirname(PATH), exist_ok=True)
server = socket.socket(socket.AF_UNIX)
server.bind(PATH)
server.listen()
while True:
    threading.Thread(target=serve, args=[server.accept()[0]], daemon=True).start()
