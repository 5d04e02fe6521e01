import { PageHeader } from "../../ui/PageHeader";
import { AuditList } from "./AuditList";

export function AuditPage() {
	return (
		<div className="stack">
			<title>Audit log · Console</title>
			<PageHeader
				title="Audit log"
				focus={false}
				hint="Who did what to which tenant, over all of them."
			/>
			<AuditList />
		</div>
	);
}
