"""What boto3 does with a bucket: python3 boto.py ENDPOINT BUCKET LARGE_FILE. Prints what it saw as JSON."""
import json
import sys
import urllib.request

import boto3
from boto3.s3.transfer import TransferConfig
from botocore.config import Config
from botocore.exceptions import ClientError

endpoint, bucket, large = sys.argv[1:]
style = Config(s3={"addressing_style": "path"}, signature_version="s3v4")
s3 = boto3.client("s3", endpoint_url=endpoint, config=style)
keys = ['&+-é"/x', "a//b", "a", "a/b", "x" * 1024, "ü/𝄞"]

for key in keys:
    s3.put_object(Bucket=bucket, Key=key, Body=key.encode(), ContentType="text/plain", Metadata={"who": "me"})
listed = [entry["Key"] for page in s3.get_paginator("list_objects_v2").paginate(Bucket=bucket, PaginationConfig={"PageSize": 2}) for entry in page.get("Contents", [])]
read = [s3.get_object(Bucket=bucket, Key=key) for key in keys]
same = all(answer["Body"].read() == key.encode() and answer["Metadata"] == {"who": "me"} for key, answer in zip(keys, read))

s3.upload_file(large, bucket, "large", Config=TransferConfig(multipart_threshold=6 << 20, multipart_chunksize=5 << 20))
head = s3.head_object(Bucket=bucket, Key="large")
part = s3.get_object(Bucket=bucket, Key="large", Range="bytes=100-199")["Body"].read()
with open(large, "rb") as file:
    file.seek(100)
    part_is_right = part == file.read(100)
link = s3.generate_presigned_url("get_object", Params={"Bucket": bucket, "Key": keys[0]})
with urllib.request.urlopen(link) as answer:
    status = answer.status

# This version of the library has no name for the header yet.
s3.meta.events.register("before-sign.s3.PutObject", lambda request, **_: request.headers.add_header("If-None-Match", "*"))
try:
    s3.put_object(Bucket=bucket, Key="a", Body=b"again")
    twice = "taken"
except ClientError as error:
    twice = error.response["Error"]["Code"]

s3.copy_object(Bucket=bucket, Key="copy", CopySource={"Bucket": bucket, "Key": keys[0]})
copied = s3.get_object(Bucket=bucket, Key="copy")["Body"].read() == keys[0].encode()
s3.delete_objects(Bucket=bucket, Delete={"Objects": [{"Key": key} for key in [*keys, "copy", "large"]]})
left = s3.list_objects_v2(Bucket=bucket)["KeyCount"]

print(json.dumps({
    "keys": len(listed) if sorted(listed) == sorted(keys) else listed,
    "read": "all" if same else "not what was stored",
    "parts": int(head["ETag"].strip('"').split("-")[1]),
    "large": head["ContentLength"],
    "range": len(part) if part_is_right else "wrong bytes",
    "link": status,
    "twice": twice,
    "copied": copied,
    "left": left,
}))
