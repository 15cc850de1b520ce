<?php

namespace Laurel\Flarum;

use Flarum\Settings\SettingsRepositoryInterface;
use Flarum\User\User;

/** The groups of members, as the owner maps them in lines "Flarum's group = Laurel's". Others are nobody's business. */
class Groups
{
    public function __construct(private SettingsRepositoryInterface $settings)
    {
    }

    /** @return array<string, string> Laurel's groups by Flarum's names of one member, or of several */
    public function mapped(): array
    {
        $all = [];
        foreach (preg_split('/[\r\n]+/', (string) $this->settings->get('laurel.groups')) as $line) {
            [$name, $group] = array_map('trim', explode('=', $line, 2) + [1 => '']);
            $plain = preg_replace('/[\p{Cc}\p{Cf}]/u', '', mb_scrub($group, 'UTF-8'));
            if ($name !== '' && $plain !== '' && strlen($plain) <= 64 && ! in_array($plain, ['.', '..'], true)) {
                $all[$name] = $plain;
            }
        }

        return $all;
    }

    /**
     * Returns a member's groups for the profile; nothing where none are mapped: Laurel keeps those that it has.
     *
     * @return array<string, string[]>
     */
    public function of(User $user): array
    {
        $mapped = $this->mapped();
        if (! $mapped) {
            return [];
        }
        $all = [];
        foreach ($user->groups()->get() as $group) {
            foreach ([$group->name_singular, $group->name_plural] as $name) {
                $all[] = $mapped[$name] ?? null;
            }
        }

        return ['groups' => array_slice(array_values(array_unique(array_filter($all, 'is_string'))), 0, 20)];
    }
}
