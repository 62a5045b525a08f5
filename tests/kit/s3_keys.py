"""Stores and reads under keys that are told: python3 s3_keys.py boto|aws ENDPOINT BUCKET. A line of JSON in is one question, a line out its answer."""
import contextlib
import io
import json
import os
import sys
import tempfile

client, endpoint, bucket = sys.argv[1:]
place = os.path.join(tempfile.mkdtemp(), "bytes")


def with_boto():
    import boto3
    from botocore.config import Config

    config = Config(s3={"addressing_style": "path"}, signature_version="s3v4")
    s3 = boto3.client("s3", endpoint_url=endpoint, config=config)
    return {
        "put": lambda key, body: s3.put_object(Bucket=bucket, Key=key, Body=body.encode()) and "",
        "get": lambda key, _: s3.get_object(Bucket=bucket, Key=key)["Body"].read().decode(),
    }


def with_aws():
    from awscli.clidriver import create_clidriver

    def run(*argv):
        said = io.StringIO()
        with contextlib.redirect_stdout(said), contextlib.redirect_stderr(said):
            code = create_clidriver().main(["--endpoint-url", endpoint, "s3api", *argv])
        if code != 0:
            raise RuntimeError(said.getvalue().strip())

    def put(key, body):
        with open(place, "w") as file:
            file.write(body)
        run("put-object", "--bucket", bucket, f"--key={key}", "--body", place)
        return ""

    def get(key, _):
        run("get-object", "--bucket", bucket, f"--key={key}", place)
        with open(place) as file:
            return file.read()

    return {"put": put, "get": get}


acts = with_boto() if client == "boto" else with_aws()
for line in sys.stdin:
    question = json.loads(line)
    try:
        answer = {"text": acts[question["do"]](question["key"], question["body"])}
    except Exception as error:
        answer = {"error": str(error).split("\n")[-1]}
    print(json.dumps(answer), flush=True)
