import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { apiReport } from "./api-report";

const file = fileURLToPath(new URL("../../../api-report.d.ts", import.meta.url));

// A change of the report needs a changeset: `npm run test:all -- api-report --update` writes it.
it("the published types are those of the API report", async () => {
	await expect(apiReport()).toMatchFileSnapshot(file);
});
