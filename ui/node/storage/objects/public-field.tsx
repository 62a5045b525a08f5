import { Checkbox } from "../../../kit/choice.tsx";

/** Whether a bucket is for everybody to read. */
export const PublicField = ({ checked, onChecked }: { checked: boolean; onChecked: (is: boolean) => void }) => (
  <Checkbox
    checked={checked}
    onChecked={onChecked}
    sub="Whoever reaches the store reads every object whose address they know, without a key."
  >
    Everybody may read its objects
  </Checkbox>
);
