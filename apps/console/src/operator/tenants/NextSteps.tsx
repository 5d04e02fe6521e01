import { useQuery } from "@tanstack/react-query";
import { brandingOf } from "better-auth-tenant/rules";
import { Link } from "react-router";
import { Badge } from "../../ui/feedback";
import { Card } from "../../ui/layout";
import { useApi } from "../api/context";
import { useMayInTenant, useTenant } from "../current-tenant/tenant-context";

type Step = { title: string; hint: string; to: string; link: string; isDone: boolean };

/** What a new tenant still needs. Shown until it has an application and a user. */
export function NextSteps({ users }: { users: number }) {
	const { id, metadata } = useTenant();
	const { applicationsQuery } = useApi();
	const may = useMayInTenant();
	const { data: applications } = useQuery({
		...applicationsQuery(id),
		enabled: may("application:list"),
	});
	if (!applications || (applications.length > 0 && users > 0)) return null;
	const { logoUrl, primaryColor } = brandingOf(metadata);
	const steps: Step[] = [
		...(may("application:create")
			? [
					{
						title: "Connect an app",
						hint: "Register your app, and copy the code that signs users in.",
						to: "applications/new",
						link: "New application",
						isDone: applications.length > 0,
					},
				]
			: []),
		...(may("tenant:update")
			? [
					{
						title: "Choose a logo and a color",
						hint: "Users see them on the sign-in page and in emails.",
						to: "branding",
						link: "Branding",
						isDone: Boolean(logoUrl || primaryColor),
					},
				]
			: []),
		...(may("user:create")
			? [
					{
						title: "Add the first users",
						hint: "Create, invite or import them, or let them sign up.",
						to: "users",
						link: "Users",
						isDone: users > 0,
					},
				]
			: []),
	];
	if (steps.length === 0) return null;
	return (
		<Card title="Next steps">
			<ol className="items">
				{steps.map(({ title, hint, to, link, isDone }) => (
					<li key={title}>
						<div className="item-text">
							<h3>{title}</h3>
							<p className="muted small">{hint}</p>
						</div>
						{isDone ? (
							<Badge kind="success">Done</Badge>
						) : (
							<Link to={to} className="button button-secondary button-small">
								{link}
							</Link>
						)}
					</li>
				))}
			</ol>
		</Card>
	);
}
