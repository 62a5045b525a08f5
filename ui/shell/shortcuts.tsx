import { Dialog } from "../kit/dialog.tsx";
import { Kbd } from "../kit/status.tsx";
import type { KeyGroup } from "./feature.ts";

/** The sheet of keys, opened by `?`. */
export function ShortcutSheet({ groups, onClose }: { groups: readonly KeyGroup[]; onClose: () => void }) {
  return (
    <Dialog title="Keyboard" onClose={onClose}>
      <div class="keysheet">
        {groups.map(({ title, keys }) => (
          <section key={title} aria-label={title}>
            <h3 class="t13 c3">{title}</h3>
            <dl>
              {keys.map(({ shown, what }) => (
                <div key={what}>
                  <dt>{what}</dt>
                  <dd>
                    {shown.map((key) => (
                      <Kbd key={key}>{key}</Kbd>
                    ))}
                  </dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </div>
    </Dialog>
  );
}
