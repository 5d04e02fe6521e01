import { tenantAuth } from "better-auth-tenant";
import { tenantImports } from "better-auth-tenant/imports";
import { tenantSignIns } from "better-auth-tenant/sign-ins";
import { tenantWebhooks } from "better-auth-tenant/webhooks";

interface Table {
	fields: Record<string, { unique?: boolean; references?: { model: string; field: string } }>;
	indexes?: readonly { fields: readonly string[]; unique?: boolean }[];
}

const CORE = ["user", "session", "account", "verification"];
const WIDTH = 300;
const LINE = 18;
const GAP = 14;

/** The tables and their keys as a picture: Better Auth's, the tenant, and those of the plugin. */
export function dataModelPicture(): string {
	const schema = {
		...tenantAuth().schema,
		...tenantImports().schema,
		...tenantSignIns().schema,
		...tenantWebhooks().schema,
	};
	const tables = Object.entries(schema as unknown as Record<string, Table>);
	const left = place(
		tables.filter(([name]) => CORE.includes(name)),
		20,
		110,
	);
	const right = place(
		tables.filter(([name]) => !CORE.includes(name) && name !== "tenant"),
		760,
		60,
	);
	const height = Math.max(left.bottom, right.bottom) + 56;
	const [tenant] = place(
		tables.filter(([name]) => name === "tenant"),
		420,
		height / 2 - 60,
		240,
	).boxes;
	if (!tenant) throw new Error("there is no table of tenants");
	const middle = tenant.y + tenant.height / 2;
	const lines = [
		...left.boxes.map((box) => curve(box, box.x + WIDTH, 420, middle)),
		...right.boxes.map((box) => curve(box, box.x, 660, middle)),
	];
	return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1080 ${height}" font-family="system-ui, sans-serif" font-size="14" role="img" aria-labelledby="title">
  <title id="title">The tables and their keys</title>
  <rect width="1080" height="${height}" rx="12" fill="#fbfbfe"/>
  <g fill="#55556a" font-size="13">
    <text x="20" y="40">Better Auth's tables get a column</text>
    <text x="760" y="40">Tables of the plugins</text>
    <text x="20" y="${height - 20}">Solid line: foreign key. Dashed line: tenantId without one. It may be empty, or the row outlives the tenant.</text>
  </g>
  <g fill="none" stroke="#9a9aab" stroke-width="1.4">
${lines.join("\n")}
  </g>
${[...left.boxes, ...right.boxes, tenant].map(draw).join("\n")}
</svg>
`;
}

interface Box {
	name: string;
	keys: string[];
	isForeignKey: boolean;
	x: number;
	y: number;
	width: number;
	height: number;
}

function place(tables: [string, Table][], x: number, top: number, width = WIDTH) {
	let y = top;
	const boxes = tables.map(([name, table]): Box => {
		const keys = keysOf(name, table);
		const height = 34 + keys.length * LINE + (keys.length > 0 ? 4 : 0);
		const box = { name, keys, x, y, width, height, isForeignKey: refersToTenant(table) };
		y += height + GAP;
		return box;
	});
	return { boxes, bottom: y };
}

const refersToTenant = ({ fields }: Table) => fields.tenantId?.references?.model === "tenant";

function keysOf(name: string, { fields, indexes = [] }: Table): string[] {
	const unique = [
		...Object.entries(fields).flatMap(([field, it]) => (it.unique ? [field] : [])),
		...indexes.flatMap((it) => (it.unique ? [it.fields.join(", ")] : [])),
	];
	const references = Object.entries(fields).flatMap(([field, { references: to }]) =>
		to && to.model !== "tenant" ? [`${field} → ${to.model}.${to.field}`] : [],
	);
	const column = name !== "tenant" && "tenantId" in fields ? ["tenantId"] : [];
	return [...column, ...unique.map((it) => `unique (${it})`), ...references];
}

function curve({ y, height, isForeignKey }: Box, from: number, to: number, middle: number): string {
	const start = y + height / 2;
	const half = (from + to) / 2;
	const dashes = isForeignKey ? "" : ' stroke-dasharray="4 4"';
	return `    <path d="M${from} ${start}C${half} ${start} ${half} ${middle} ${to} ${middle}"${dashes}/>`;
}

function draw({ name, keys, x, y, width, height }: Box): string {
	const [fill, stroke] = name === "tenant" ? ["#ecebff", "#6a5cff"] : ["#fff", "#d6d6e0"];
	const lines = keys.map(
		(key, index) =>
			`<text x="${x + 14}" y="${y + 44 + index * LINE}" font-family="ui-monospace, monospace" font-size="11" fill="#55556a">${key}</text>`,
	);
	return `  <rect x="${x}" y="${y}" width="${width}" height="${height}" rx="8" fill="${fill}" stroke="${stroke}"/>
  <text x="${x + 14}" y="${y + 23}" font-weight="600" fill="#1d1d28">${name}</text>
  ${lines.join("")}`;
}
