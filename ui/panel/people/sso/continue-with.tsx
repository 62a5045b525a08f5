import { useEffect, useState } from "preact/hooks";
import { Button } from "../../../kit/button.tsx";
import { Icon } from "../../../kit/icon.tsx";
import { api } from "../../client/api.ts";
import { startOf } from "./start-address.ts";

/** Waits until somebody has stopped typing. */
const pauseMs = 350;

interface Found {
  email: string;
  url: string;
  name: string;
}

/** Where a company has a sign-in of its own for this address, the way to it. */
export function ContinueWith({ email }: { email: string }) {
  const [found, setFound] = useState<Found | null>(null);
  useEffect(() => {
    if (!/^[^\s@]+@[^\s@]+\.[^\s@]{2,}$/.test(email)) return;
    let isOver = false;
    const timer = setTimeout(async () => {
      // Nobody needs it to sign in: whoever cannot be asked now is asked with the next letter.
      const told = await api("POST /api/sso/discover", { body: { email }, anonymous: true }).catch(() => null);
      if (isOver || !told?.connector_url) return;
      setFound({ email, url: told.connector_url, name: told.name ?? "your company" });
    }, pauseMs);
    return () => {
      isOver = true;
      clearTimeout(timer);
    };
  }, [email]);
  if (found === null || found.email !== email) return null;
  return (
    <Button wide onClick={() => location.assign(startOf(found.url, `${location.pathname}${location.search}`, email))}>
      <Icon name="key" />
      <span class="cut">Continue with {found.name}</span>
    </Button>
  );
}
