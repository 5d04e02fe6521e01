import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { clientPage } from "./client";
import { dataModelPicture } from "./data-model";
import { endpointsPage } from "./endpoints";
import { errorsPage } from "./errors";
import { optionsPage } from "./options";
import { tablesPage } from "./tables";

const folder = fileURLToPath(new URL("../../../../../docs/reference/", import.meta.url));

it.each([
	["endpoints.md", endpointsPage],
	["options.md", optionsPage],
	["client.md", clientPage],
	["errors.md", errorsPage],
	["tables.md", tablesPage],
	["../images/data-model.svg", dataModelPicture],
])("docs/reference/%s is as the source says", async (file, makePage) => {
	await expect(makePage()).toMatchFileSnapshot(`${folder}${file}`);
});
