import type { EndpointInfo } from "../../../../src/node/storage/objects/contract.ts";

/** What the lines for programs are made of. */
export interface Connection {
  endpoint: Pick<EndpointInfo, "url" | "host" | "port" | "region" | "secure">;
  accessKey: string;
  secret: string;
  bucket: string;
}

/** Programs that there are lines for. */
export const programs = [
  { value: "aws", label: "aws" },
  { value: "rclone", label: "rclone" },
  { value: "restic", label: "restic" },
  { value: "s3cmd", label: "s3cmd" },
  { value: "env", label: ".env" },
] as const;
export type ProgramName = (typeof programs)[number]["value"];

/** Lines to paste that connect a program to a bucket. */
export function linesFor(program: ProgramName, { endpoint, accessKey, secret, bucket }: Connection): string {
  const { url, host, port, region, secure } = endpoint;
  const shell = [`export AWS_ACCESS_KEY_ID=${accessKey}`, `export AWS_SECRET_ACCESS_KEY=${secret}`];
  switch (program) {
    case "aws":
      return [...shell, `export AWS_DEFAULT_REGION=${region}`, `aws --endpoint-url ${url} s3 ls s3://${bucket}`].join(
        "\n",
      );
    case "rclone":
      return [
        "[orrery]",
        "type = s3",
        "provider = Other",
        `endpoint = ${url}`,
        `region = ${region}`,
        `access_key_id = ${accessKey}`,
        `secret_access_key = ${secret}`,
        "force_path_style = true",
        "no_check_bucket = true",
      ].join("\n");
    case "restic":
      return [...shell, `restic -r s3:${url}/${bucket} init`].join("\n");
    case "s3cmd":
      return [
        "# ~/.s3cfg; signurl makes links of an older kind, which are refused",
        "[default]",
        `access_key = ${accessKey}`,
        `secret_key = ${secret}`,
        `host_base = ${host}:${port}`,
        `host_bucket = ${host}:${port}`,
        `use_https = ${secure ? "True" : "False"}`,
        ...(region === "us-east-1" ? [] : [`bucket_location = ${region}`]),
        "signature_v2 = False",
      ].join("\n");
    case "env":
      return [
        `S3_ENDPOINT=${url}`,
        `S3_REGION=${region}`,
        `S3_BUCKET=${bucket}`,
        `S3_ACCESS_KEY_ID=${accessKey}`,
        `S3_SECRET_ACCESS_KEY=${secret}`,
        "S3_FORCE_PATH_STYLE=true",
      ].join("\n");
  }
}
