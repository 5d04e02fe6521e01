import { asRecord, type ExportedRecord, textOf } from "../formats/converted";
import type { ImportFlags } from "./arguments";

/**
 * Finds the tenant of a record: the one of the command, or the one that the record names. The record is
 * returned without it, unless it is inside of another field.
 */
export function takeTenant(
	record: ExportedRecord,
	{ tenant, tenantFrom }: Pick<ImportFlags, "tenant" | "tenantFrom">,
): { tenant: string | undefined; record: ExportedRecord } {
	if (tenantFrom === undefined) return { tenant, record };
	if (Object.hasOwn(record, tenantFrom)) {
		const { [tenantFrom]: named, ...rest } = record;
		return { tenant: textOf(named)?.trim(), record: rest };
	}
	const found = tenantFrom
		.split(".")
		.reduce<unknown>((value, name) => asRecord(value)[name], record);
	return { tenant: textOf(found)?.trim(), record };
}
