import { Segmented } from "../../../kit/choice.tsx";
import { layout, setLayout } from "./layout.ts";

/** Tiles or rows; this device remembers which. */
export function LayoutSwitch() {
  return (
    <span class="drivelayout">
      <Segmented
        label="Show files as"
        size="sm"
        value={layout.value}
        options={[
          { value: "grid", label: "Grid", icon: "grid" },
          { value: "list", label: "List", icon: "list" },
        ]}
        onValue={setLayout}
      />
    </span>
  );
}
