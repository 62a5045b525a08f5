import { useState } from "preact/hooks";
import { Segmented } from "../../../kit/choice.tsx";
import { Copy } from "../../../kit/copy.tsx";
import { Loaded } from "../../../parts/loaded.tsx";
import { useResource } from "../../client/resource.ts";
import { linesFor, type ProgramName, programs } from "./connections.ts";

/** Lines to paste into the program that is to use a bucket. */
export function Snippets({ accessKey, secret, bucket }: { accessKey: string; secret: string; bucket: string }) {
  const endpoint = useResource("GET /api/objects/endpoint");
  const [program, choose] = useState<ProgramName>("aws");
  return (
    <Loaded of={endpoint} what="Address">
      {(info) => {
        const lines = linesFor(program, { endpoint: info, accessKey, secret, bucket });
        return (
          <div class="field codelines">
            <Segmented label="Lines for" value={program} options={[...programs]} onValue={choose} />
            <div class="code">
              <pre>{lines}</pre>
              <Copy text={lines} label={`Copy the lines for ${program}`} />
            </div>
          </div>
        );
      }}
    </Loaded>
  );
}
