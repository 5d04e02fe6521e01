import { useQuery } from "@tanstack/react-query";
import { useSearchParams } from "react-router";
import { ErrorState, Skeleton } from "../../ui/feedback";
import { Select } from "../../ui/fields";
import { useApi } from "../api/context";
import { MAIL_KINDS, MAIL_LANGUAGES, type MailName } from "../api/mails";
import { TenantPageHeader } from "../current-tenant/TenantPageHeader";
import { useTenant } from "../current-tenant/tenant-context";
import { MailEditor } from "./MailEditor";
import "./mails.css";

const optionsOf = (names: Record<string, string>, mark: (name: string) => boolean) =>
	Object.entries(names).map(([value, label]) => ({
		value,
		label: mark(value) ? `${label} (changed)` : label,
	}));

/** The texts of the emails that the tenant's users get. */
export function MailsTab() {
	const tenant = useTenant();
	const { mailTemplatesQuery } = useApi();
	const { data, error, refetch } = useQuery(mailTemplatesQuery(tenant.id));
	const [search, setSearch] = useSearchParams();
	const kind = findName(MAIL_KINDS, search.get("mail")) ?? "verification";
	const language = findName(MAIL_LANGUAGES, search.get("language")) ?? "en";
	const choose = (changes: Partial<MailName>) => {
		const { kind: mail, language: chosen } = { kind, language, ...changes };
		setSearch({ mail, language: chosen }, { replace: true });
	};
	const isChanged = (name: Partial<MailName>) =>
		data?.some(
			(template) =>
				template.source === "tenant" &&
				template.writtenIn === template.language &&
				(name.kind === undefined || template.kind === name.kind) &&
				(name.language === undefined || template.language === name.language),
		) ?? false;
	const template = data?.find((one) => one.kind === kind && one.language === language);
	return (
		<div className="stack">
			<TenantPageHeader
				title="Emails"
				hint="What the emails to this tenant's users say. Logo and color come from the branding."
			/>
			<div className="filters mail-choice">
				<Select
					label="Email"
					options={optionsOf(MAIL_KINDS, (name) => isChanged({ kind: name as MailName["kind"] }))}
					value={kind}
					onValueChange={(value) => choose({ kind: findName(MAIL_KINDS, value) ?? kind })}
				/>
				<Select
					label="Language"
					options={optionsOf(MAIL_LANGUAGES, (name) =>
						isChanged({ kind, language: name as MailName["language"] }),
					)}
					value={language}
					onValueChange={(value) =>
						choose({ language: findName(MAIL_LANGUAGES, value) ?? language })
					}
				/>
			</div>
			{error && !data && <ErrorState error={error} onRetry={refetch} />}
			{!data && !error && (
				<div aria-busy="true">
					<Skeleton kind="block" />
				</div>
			)}
			{/* With this key the form starts again for another mail, and after a reset. */}
			{template && <MailEditor key={JSON.stringify(template)} template={template} />}
		</div>
	);
}

const findName = <Name extends string>(
	names: Record<Name, string>,
	text: string | null,
): Name | undefined => (Object.keys(names) as Name[]).find((name) => name === text);
