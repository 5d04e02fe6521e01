import { Card } from "../../ui/Card";
import type { Tenant } from "../api/tenants";
import { DeleteTenant } from "./DeleteTenant";
import { SuspendTenant } from "./SuspendTenant";

export function DangerZone({ tenant }: { tenant: Tenant }) {
	return (
		<Card title="Suspend or delete">
			<ul className="items">
				<li>
					<SuspendTenant tenant={tenant} />
				</li>
				<li>
					<DeleteTenant tenant={tenant} />
				</li>
			</ul>
		</Card>
	);
}
