import { DatabaseSync } from "node:sqlite";
import { makeHandler, PACKAGES } from "./app.ts";
import { redirectHosts } from "./redirected-hosts.ts";

redirectHosts();
const open = () => new DatabaseSync(":memory:");
const handler = makeHandler({ open: open(), guarded: open(), fast: open() });
const onListen = ({ port }: { port: number }) => console.log(`listening http://127.0.0.1:${port}`);
for (const name of PACKAGES) console.log(`package ${import.meta.resolve(name)}`);
Deno.serve({ hostname: "127.0.0.1", port: 0, onListen }, handler);
