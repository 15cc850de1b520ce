<?php

namespace Laurel\Flarum;

use Flarum\Console\AbstractCommand;
use Flarum\Settings\SettingsRepositoryInterface;
use Symfony\Component\Console\Input\InputOption;

/** Sends the queue, each minute by Flarum's scheduler, and compares every hour. */
class Send extends AbstractCommand
{
    public function __construct(private Queue $queue, private Comparison $comparison, private SettingsRepositoryInterface $settings)
    {
        parent::__construct();
    }

    protected function configure(): void
    {
        $this->setName('laurel:send')->setDescription('Send what waits to Laurel')
            ->addOption('again', null, InputOption::VALUE_NONE, 'Send the last two days again');
    }

    protected function fire(): int
    {
        if ($this->input->getOption('again')) {
            $this->queue->again();
        }
        $this->queue->send(50);
        if ($this->settings->get('laurel.hook_secret') && $this->comparison->found()['at'] < time() - 3600) {
            $this->comparison->compare();
        }

        return 0;
    }
}
