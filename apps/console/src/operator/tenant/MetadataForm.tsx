import { useState } from "react";
import { Button } from "../../ui/Button";
import { Card } from "../../ui/Card";
import type { Tenant } from "../api/tenants";
import { MetadataField } from "../tenants/MetadataField";
import { formatMetadata, parseMetadata } from "../tenants/metadata-text";
import { useTenantChange } from "./tenant-change";

export function MetadataForm({ tenant }: { tenant: Tenant }) {
	const stored = formatMetadata(tenant.metadata);
	const [text, setText] = useState(stored);
	const save = useTenantChange(tenant);
	const { metadata } = parseMetadata(text);
	const isReady = metadata !== null && text !== stored;
	return (
		<Card title="Metadata" hint="Anything that your own software keeps about the tenant.">
			<form
				className="stack"
				onSubmit={(event) => {
					event.preventDefault();
					if (isReady && !save.isPending) save.mutate({ metadata });
				}}
			>
				<MetadataField value={text} onChange={setText} error={save.error?.message} />
				<div className="row">
					<Button kind="primary" type="submit" busy={save.isPending} disabled={!isReady}>
						Save metadata
					</Button>
				</div>
			</form>
		</Card>
	);
}
