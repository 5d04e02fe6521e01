import { BrandingForm } from "./BrandingForm";
import { useTenant } from "./current-tenant";
import { DangerZone } from "./DangerZone";
import { MetadataForm } from "./MetadataForm";
import { NameForm } from "./NameForm";

export function SettingsTab() {
	const tenant = useTenant();
	// A form starts anew when what it shows was changed, by itself, its neighbour or somebody else.
	const metadata = JSON.stringify(tenant.metadata);
	return (
		<div className="stack narrow">
			<NameForm key={`name ${tenant.name} ${tenant.slug}`} tenant={tenant} />
			<BrandingForm key={`branding ${metadata}`} tenant={tenant} />
			<MetadataForm key={`metadata ${metadata}`} tenant={tenant} />
			<DangerZone tenant={tenant} />
		</div>
	);
}
