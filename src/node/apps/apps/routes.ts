import type { BoundRoutes } from "../../../kernel/http/handlers.ts";
import type { Actor } from "../../actor.ts";
import { type Asker, lastingAsker } from "../../platform/operations/index.ts";
import { bindRoutes } from "../../route.ts";
import { readSecrets } from "./blueprint/secrets.ts";
import { changeApp } from "./change/change-app.ts";
import { planChange } from "./change/plan-change.ts";
import { appRoutes, type StartInput } from "./contract.ts";
import { downloadDump } from "./dumps/download-dump.ts";
import type { Own } from "./needs.ts";
import { assertMayConfirm, assertMayOpen, assertStaysClosed } from "./plan/conditions.ts";
import { asPermission, confirmPaths, openPathsOf } from "./plan/host-paths.ts";
import { planInstall } from "./plan/plan.ts";
import { type Visitor, visitorOf } from "./plan/reach.ts";
import { appListJson, presentDetail } from "./present.ts";
import type { AppRow } from "./store.ts";
import { listTrash, purgeTrash } from "./trash.ts";
import { rollBackApp, updateApp } from "./update/ask-update.ts";
import { chooseUpdate, takeBackChoice } from "./update/choose-update.ts";
import { presentUpdates } from "./update/plan-update.ts";
import { listCrashes } from "./watch/crash-store.ts";
import { getApp, restartApp, retryApp, startApp, stopApp, uninstallApp } from "./work/begin-work.ts";
import { installApp } from "./work/install.ts";

const askerOf = ({ user_id }: Actor, ip: string): Asker => ({ user_id, ip });

/** A key is a program's: from where it comes says nothing about where its app is to be opened. */
const visitorAt = ({ key }: Actor, ip: string, request: Request): Visitor =>
  key === null ? visitorOf(ip, request.headers.get("host")) : { near: null, ip };

/** What answers the routes of apps. */
export const bindAppRoutes = (own: Own): BoundRoutes => {
  const confirm = async (actor: Actor, app: AppRow, body: StartInput | null): Promise<void> => {
    assertMayConfirm(actor, body?.permissions);
    await confirmPaths(own, app, body?.permissions);
  };
  return bindRoutes(appRoutes, {
    // The most asked question of the dashboard.
    "GET /api/apps": ({ set }) => {
      set.headers["content-type"] = "application/json;charset=utf-8";
      return appListJson(own);
    },
    "POST /api/apps": async ({ actor, ip, body, request }) => {
      assertMayConfirm(actor, body.config?.permissions);
      assertMayOpen(actor, body.config);
      if (actor.key !== null) await assertStaysClosed(own, body);
      return installApp(own, lastingAsker({ actor, ip, request }), body, visitorAt(actor, ip, request));
    },
    "POST /api/apps/plan": ({ actor, ip, body, request }) => planInstall(own, body, visitorAt(actor, ip, request)),
    "GET /api/apps/trash": () => listTrash(own),
    "DELETE /api/apps/trash/{id}": async ({ actor, ip, params }) => {
      await purgeTrash(own, askerOf(actor, ip), params.id);
      return { message: "The data is deleted." };
    },
    "GET /api/apps/{id}": async ({ params }) => {
      // Without Docker nothing is started either, and everything else of the app can be told.
      const open = await openPathsOf(own, getApp(own, params.id)).catch(() => []);
      return presentDetail(
        own,
        getApp(own, params.id),
        own.state.disk.latest()?.volumes ?? new Map(),
        open.map(asPermission),
      );
    },
    "DELETE /api/apps/{id}": ({ actor, ip, params, query }) =>
      uninstallApp(own, askerOf(actor, ip), params.id, query.delete_data ?? false),
    "POST /api/apps/{id}/config/plan": ({ actor, ip, params, body, request }) =>
      planChange(own, getApp(own, params.id), body, visitorAt(actor, ip, request)),
    "PUT /api/apps/{id}/config": ({ actor, ip, params, body }) => {
      assertMayOpen(actor, body);
      assertMayConfirm(actor, body.permissions);
      return changeApp(own, askerOf(actor, ip), getApp(own, params.id), body);
    },
    "POST /api/apps/{id}/start": async ({ params, body, ...from }) => {
      const app = getApp(own, params.id);
      if (app.status !== "running") await confirm(from.actor, app, body);
      return startApp(own, lastingAsker(from), params.id);
    },
    "POST /api/apps/{id}/stop": ({ actor, ip, params }) => stopApp(own, askerOf(actor, ip), params.id),
    "POST /api/apps/{id}/restart": async ({ params, body, ...from }) => {
      await confirm(from.actor, getApp(own, params.id), body);
      return restartApp(own, lastingAsker(from), params.id);
    },
    "POST /api/apps/{id}/retry": async ({ params, body, ...from }) => {
      const app = getApp(own, params.id);
      if (app.status === "error") await confirm(from.actor, app, body);
      return retryApp(own, lastingAsker(from), params.id, body);
    },
    "GET /api/apps/{id}/crashes": ({ params }) => listCrashes(own.db, getApp(own, params.id).id),
    "GET /api/apps/{id}/updates": ({ params }) => presentUpdates(own, getApp(own, params.id)),
    "POST /api/apps/{id}/update": ({ params, body, ...from }) => {
      assertMayConfirm(from.actor, body?.permissions);
      return updateApp(own, lastingAsker(from), getApp(own, params.id), body ?? {});
    },
    "PUT /api/apps/{id}/updates/choice": async ({ actor, ip, params, body }) => {
      await chooseUpdate(own, askerOf(actor, ip), getApp(own, params.id), body);
      return presentUpdates(own, getApp(own, params.id));
    },
    "GET /api/apps/{id}/updates/dumps/{name}": ({ actor, ip, params, request }) =>
      downloadDump(own, askerOf(actor, ip), request, getApp(own, params.id), params.name),
    "DELETE /api/apps/{id}/updates/choice": ({ actor, ip, params }) => {
      takeBackChoice(own, askerOf(actor, ip), getApp(own, params.id));
      return presentUpdates(own, getApp(own, params.id));
    },
    "POST /api/apps/{id}/rollback": ({ params, body, ...from }) => {
      assertMayConfirm(from.actor, body?.permissions);
      return rollBackApp(own, lastingAsker(from), getApp(own, params.id), body?.permissions);
    },
    "GET /api/apps/{id}/secrets": ({ params }) => {
      getApp(own, params.id);
      return readSecrets(own, params.id);
    },
    "POST /api/apps/{id}/secrets/{name}/rotate": ({ actor, ip, params, body }) =>
      changeApp(own, askerOf(actor, ip), getApp(own, params.id), body ?? {}, [params.name]),
    "POST /api/apps/{id}/secrets/{name}/rotate/plan": ({ actor, ip, params, request }) =>
      planChange(own, getApp(own, params.id), {}, visitorAt(actor, ip, request), [params.name]),
  });
};
